package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.LedgerException;
import dev.stet.ledger.LedgerTransfer;
import dev.stet.ledger.PipelineRow;
import dev.stet.ledger.SqliteLedger;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Moves a pipeline's ledger to another place, so that who outgrows a machine does not copy again. The old ledger is marked first and used no more: two that
 * know the same objects would copy the next ones twice. Ended in the middle, the same call goes on.
 */
public final class LedgerMove {
    private final Ledgers ledgers;
    private final Map<String, String> environment;
    private final Clock clock;

    public LedgerMove(Ledgers ledgers, Map<String, String> environment, Clock clock) {
        this.ledgers = ledgers;
        this.environment = Map.copyOf(environment);
        this.clock = clock;
    }

    /**
     * What was moved.
     *
     * @param from a folder, or {@code dynamodb:TABLE}
     * @param to likewise
     */
    public record Moved(PipelineRow pipeline, String from, String to, LedgerTransfer.Carried carried) {}

    /** One end, opened. */
    private record End(Ledger ledger, Optional<StateFolder> folder, String name) implements Closeable {
        @Override
        public void close() throws IOException {
            try (Closeable _ = () -> {
                if (folder.isPresent()) {
                    folder.get().close();
                }
            }) {
                ledger.close();
            }
        }
    }

    /** Where an end is, as the user says it. */
    private sealed interface Place {
        /** A folder of state. */
        record Folder(Path path) implements Place {}

        /** The folders of the user's, one a pipeline. */
        record Default() implements Place {}

        record Table(String name) implements Place {}
    }

    /**
     * Moves a ledger.
     *
     * @param from, to a state folder, {@code sqlite} (the default folder of the pipeline) or {@code dynamodb:TABLE}
     * @param pipelineId which one, where {@code from} has several
     * @param workingDirectory what relative folders are relative to
     */
    public Moved move(String from, String to, Optional<String> pipelineId, Path workingDirectory)
            throws ConfigException, IOException {
        Place source = place(from, "FROM", workingDirectory);
        Place target = place(to, "TO", workingDirectory);
        if (source.equals(target)) {
            throw new ConfigException("FROM and TO are the same ledger: " + from);
        }
        String id = pipelineId.isPresent() ? pipelineId.get() : onlyPipeline(source, from);
        PipelineRow row;
        try (End end = open(source, id, "", false)) {
            row = end.ledger()
                    .pipeline()
                    .orElseThrow(() -> new ConfigException("no pipeline's ledger in " + end.name()));
        }
        if (!row.id().equals(id)) {
            throw new ConfigException("the ledger in " + from + " is of pipeline " + row.id() + ", not " + id);
        }
        try (End old = open(source, id, row.source(), false);
                End fresh = open(target, id, row.source(), true)) {
            return move(row, old, fresh);
        }
    }

    private static Moved move(PipelineRow row, End old, End fresh) throws ConfigException, IOException {
        Optional<PipelineRow> there = fresh.ledger().pipeline();
        if (row.movedTo().isPresent() && !row.movedTo().get().equals(fresh.name())) {
            throw new ConfigException(
                    old.name() + " was moved before, to " + row.movedTo().get());
        }
        if (there.isPresent()) {
            throw new ConfigException(fresh.name() + " holds this pipeline's ledger already"
                    + (row.movedTo().isPresent() ? ": it was moved; nothing is left to do" : ""));
        }
        requireQuiet(old);
        requireNothingWaitsHere(old);
        if (row.movedTo().isEmpty()
                && old.ledger().savePipeline(row.movedTo(fresh.name()), row.revision()) != Ledger.Outcome.APPLIED) {
            throw new LedgerException(old.name() + " changed meanwhile: a run is at work on it; end it first");
        }
        requireQuiet(old);
        LedgerTransfer.Carried carried = new LedgerTransfer(old.ledger(), fresh.ledger()).run();
        PipelineRow unmoved = new PipelineRow(row.id(), row.source(), row.sink(), row.routing());
        if (fresh.ledger().savePipeline(unmoved, 0) != Ledger.Outcome.APPLIED) {
            throw new LedgerException(fresh.name() + " changed meanwhile; run the same command again");
        }
        return new Moved(unmoved, old.name(), fresh.name(), carried);
    }

    /** Whoever holds a folder's lock is alone, and what is under way there is dead; in a table a worker may live. */
    private static void requireQuiet(End old) throws IOException {
        AtomicLong busy = new AtomicLong();
        old.ledger().forEach(CommitState.UPLOADING, c -> busy.incrementAndGet());
        if (busy.get() > 0) {
            throw new LedgerException(
                    old.name() + " has " + busy.get()
                            + " commits under way; end its runs, and run the pipeline once more to clean up after any that was killed");
        }
    }

    /** Bundles beside the ledger would be out of the new one's reach. */
    private static void requireNothingWaitsHere(End old) throws IOException {
        AtomicLong waiting = new AtomicLong();
        old.ledger()
                .forEach(
                        CommitState.COMMITTED,
                        c -> waiting.addAndGet(c.details().orElseThrow().bundleLength()));
        boolean here =
                old.folder().isPresent() && Files.isDirectory(old.folder().get().resolve("staging"));
        if (here && waiting.get() > 0) {
            throw new LedgerException(waiting.get() + " bytes wait to be landed in "
                    + old.folder().get().resolve("staging")
                    + "; run the pipeline once without --no-flush, then move its ledger");
        }
    }

    private static Place place(String text, String setting, Path workingDirectory) throws ConfigException {
        if (text.equals("sqlite")) {
            return new Place.Default();
        }
        if (text.startsWith(LedgerPlace.PREFIX)) {
            return new Place.Table(LedgerPlace.tableName(text.substring(LedgerPlace.PREFIX.length()), setting));
        }
        if (text.isEmpty()) {
            throw new ConfigException(setting + ": give a state folder, sqlite or dynamodb:TABLE");
        }
        return new Place.Folder(workingDirectory.resolve(text).toAbsolutePath().normalize());
    }

    private End open(Place place, String id, String source, boolean create) throws ConfigException, IOException {
        return switch (place) {
            case Place.Table t ->
                new End(ledgers.open(t.name(), id, source, clock), Optional.empty(), LedgerPlace.PREFIX + t.name());
            case Place.Folder f -> openFolder(f.path(), source, create);
            case Place.Default _ -> openFolder(StateFolder.byDefault(id, environment), source, create);
        };
    }

    private End openFolder(Path path, String source, boolean create) throws ConfigException, IOException {
        if (!create && !Files.exists(StateFolder.ledger(path))) {
            throw new ConfigException("no ledger in " + path + "; give the --state folder of the pipeline's runs");
        }
        StateFolder folder = StateFolder.lock(path);
        try {
            System.setProperty("org.sqlite.tmpdir", path.toString());
            return new End(
                    new SqliteLedger(StateFolder.ledger(path), source, clock), Optional.of(folder), path.toString());
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private String onlyPipeline(Place place, String text) throws ConfigException, IOException {
        Map<String, String> known = switch (place) {
            case Place.Table t -> ledgers.pipelines(t.name());
            case Place.Folder f -> inFolder(f.path());
            case Place.Default _ -> byDefault();
        };
        if (known.isEmpty()) {
            throw new ConfigException("no pipeline's ledger in " + text);
        }
        if (known.size() > 1) {
            throw new ConfigException("several pipelines in " + text + "; name one with --pipeline-id: "
                    + known.entrySet().stream()
                            .map(e -> e.getKey() + " (" + e.getValue() + ")")
                            .collect(Collectors.joining(", ")));
        }
        return known.keySet().iterator().next();
    }

    private Map<String, String> inFolder(Path path) throws ConfigException, IOException {
        try (End end = openFolder(path, "", false)) {
            return end.ledger()
                    .pipeline()
                    .map(row -> Map.of(row.id(), row.source() + " to " + row.sink()))
                    .orElse(Map.of());
        }
    }

    private Map<String, String> byDefault() throws ConfigException, IOException {
        Map<String, String> known = new TreeMap<>();
        Path all = StateFolder.byDefault("x", environment).resolveSibling(".").normalize();
        if (Files.isDirectory(all)) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(all)) {
                for (Path folder : folders) {
                    if (Files.exists(StateFolder.ledger(folder))) {
                        known.putAll(inFolder(folder));
                    }
                }
            }
        }
        return known;
    }
}
