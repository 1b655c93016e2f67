package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Compaction;
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
import java.util.ArrayList;
import java.util.List;
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

    /**
     * Both ends are marked before a row is carried, the new one first: from then on neither can be used until the new one's mark goes, last of all. So a move
     * that ends in the middle leaves nothing that could copy twice, and the same call goes on.
     */
    private Moved move(PipelineRow row, End old, End fresh) throws ConfigException, IOException {
        PipelineRow.Move there = new PipelineRow.Move.To(fresh.name());
        PipelineRow.Move back = new PipelineRow.Move.From(old.name());
        requireMovable(row, there, fresh, back);
        if (row.move().isEmpty()) {
            fenceTheDead(old);
            requireQuiet(old);
            requireNothingWaitsHere(old);
            arrive(row, fresh, back);
            mark(row, old, there);
        }
        LedgerTransfer.Carried carried = new LedgerTransfer(old.ledger(), fresh.ledger()).run();
        PipelineRow arrived = fresh.ledger().pipeline().orElseThrow();
        if (fresh.ledger().savePipeline(arrived.inUse(), arrived.revision()) != Ledger.Outcome.APPLIED) {
            throw new LedgerException(fresh.name() + " changed meanwhile; run the same command again");
        }
        return new Moved(arrived.inUse(), old.name(), fresh.name(), carried);
    }

    private static void requireMovable(PipelineRow row, PipelineRow.Move there, End fresh, PipelineRow.Move back)
            throws ConfigException, IOException {
        if (row.move().isPresent() && !row.move().get().equals(there)) {
            throw new ConfigException(
                    switch (row.move().get()) {
                        case PipelineRow.Move.To to -> "the ledger was moved before, to " + to.ledger();
                        case PipelineRow.Move.From from ->
                            "the ledger is not complete: it is being moved here from " + from.ledger()
                                    + "; finish that move first";
                    });
        }
        Optional<PipelineRow> arrived = fresh.ledger().pipeline();
        if (arrived.isPresent() && !arrived.get().move().equals(Optional.of(back))) {
            boolean done = row.move().isPresent() && arrived.get().move().isEmpty();
            throw new ConfigException(
                    fresh.name()
                            + (done
                                    ? " holds this pipeline's ledger already: it was moved; nothing is left to do"
                                    : " holds a ledger of this pipeline already, in use or from before a move; give another folder or table"));
        }
    }

    private static void arrive(PipelineRow row, End fresh, PipelineRow.Move back) throws IOException {
        if (fresh.ledger().pipeline().isEmpty()
                && fresh.ledger().savePipeline(row.moving(back), 0) != Ledger.Outcome.APPLIED) {
            throw new LedgerException(fresh.name() + " changed meanwhile; run the same command again");
        }
    }

    /** Whoever begins anything looks for the mark afterwards, and this looks for what was begun: one of them sees the other. */
    private static void mark(PipelineRow row, End old, PipelineRow.Move there) throws IOException {
        if (old.ledger().savePipeline(row.moving(there), row.revision()) != Ledger.Outcome.APPLIED) {
            throw new LedgerException(old.name() + " changed meanwhile: a run is at work on it; end it first");
        }
        try {
            requireQuiet(old);
        } catch (LedgerException e) {
            // Nothing was carried: the old ledger can be used as before.
            Ledger.Outcome _ = old.ledger().savePipeline(row.inUse(), row.revision() + 1);
            throw e;
        }
    }

    /** Whoever holds a folder's lock is alone, and what is under way there is dead; in a table a worker lives as long as its lease. */
    private void fenceTheDead(End old) throws IOException {
        long now = clock.millis();
        List<String> dead = new ArrayList<>();
        old.ledger().forEach(CommitState.UPLOADING, c -> {
            if (old.folder().isPresent() || c.leaseUntil() < now) {
                dead.add(c.id());
            }
        });
        for (String id : dead) {
            Ledger.Outcome _ = old.ledger().abandon(id);
        }
    }

    private static void requireQuiet(End old) throws IOException {
        AtomicLong busy = new AtomicLong();
        old.ledger().forEach(CommitState.UPLOADING, c -> busy.incrementAndGet());
        if (busy.get() > 0) {
            throw new LedgerException(
                    old.name() + " has " + busy.get()
                            + " commits under way; end its runs, wait a minute if one was killed, and run the same command again");
        }
        Optional<Compaction> latest = old.ledger().latestCompaction();
        if (latest.isPresent() && !latest.get().done()) {
            throw new LedgerException(
                    old.name()
                            + " has a compaction under way; run the pipeline once more, which finishes it, then move its ledger");
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
