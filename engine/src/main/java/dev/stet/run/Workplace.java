package dev.stet.run;

import dev.stet.codec.SliceCodec;
import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.LocationCheck;
import dev.stet.config.PipelineConfig;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.SqliteLedger;
import dev.stet.store.CaseProbe;
import dev.stet.store.EtagCache;
import dev.stet.store.FileSource;
import dev.stet.store.FileStore;
import dev.stet.store.KeyFilter;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceStore;
import dev.stet.store.SqliteEtagCache;
import dev.stet.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Everything one run works with, opened and checked in the order in which a refusal does no harm: nothing is written to the sink before all else fits. */
final class Workplace implements Closeable {
    /** Landing waits for disks and networks more than it computes. */
    private static final int LANDING_THREADS = 8;

    private final String pipelineId;
    private final Optional<StateFolder> state;
    private final Ledger ledger;
    private final EtagCache etags;
    private final SourceStore source;
    private final ObjectStore sink;
    private final ObjectStore staging;
    private final Optional<Path> stagingFolder;
    private final int sinkPrefixBytes;
    private final KeyFilter wanted;

    private Workplace(
            String pipelineId,
            Optional<StateFolder> state,
            Ledger ledger,
            EtagCache etags,
            SourceStore source,
            ObjectStore sink,
            ObjectStore staging,
            Optional<Path> stagingFolder,
            int sinkPrefixBytes,
            KeyFilter wanted) {
        this.pipelineId = pipelineId;
        this.state = state;
        this.ledger = ledger;
        this.etags = etags;
        this.source = source;
        this.sink = sink;
        this.staging = staging;
        this.stagingFolder = stagingFolder;
        this.sinkPrefixBytes = sinkPrefixBytes;
        this.wanted = wanted;
    }

    static Workplace open(
            PipelineConfig pipeline, RunOptions options, RunListener listener, Machine machine, boolean watching)
            throws ConfigException, IOException {
        if (pipeline.format() != Format.JSON) {
            throw new ConfigException("format " + pipeline.format().name().toLowerCase(java.util.Locale.ROOT)
                    + " is not supported yet; json is");
        }
        KeyFilter wanted = filter(pipeline);
        LocationCheck.apart(pipeline.source(), pipeline.sink());
        String id = PipelineId.of(pipeline);
        Optional<Path> stateFolder = stateFolder(pipeline, options, machine, id);
        if (stateFolder.isPresent()) {
            LocationCheck.outside("the state", stateFolder.get(), pipeline.source(), pipeline.sink());
        }
        Optional<Path> stagingFolder = stagingFolder(pipeline, options, stateFolder);
        if (stagingFolder.isPresent()) {
            LocationCheck.outside("staging", stagingFolder.get(), pipeline.source(), pipeline.sink());
        }
        Optional<Location.S3> staging =
                stagingFolder.isPresent() ? Optional.empty() : Optional.of(stagingLocation(pipeline, options, id));
        if (staging.isPresent()) {
            LocationCheck.apart(pipeline.source(), staging.get());
        }
        machine.stores().preflight(remote(pipeline, staging), listener::note);
        requireListable(source(pipeline, EtagCache.NONE, stateFolder, machine.stores(), false));
        Optional<StateFolder> state =
                stateFolder.isPresent() ? Optional.of(StateFolder.lock(stateFolder.get())) : Optional.empty();
        try {
            return open(pipeline, options, listener, machine, watching, id, state, stagingFolder, wanted);
        } catch (ConfigException | IOException | RuntimeException e) {
            if (state.isPresent()) {
                state.get().close();
            }
            throw e;
        }
    }

    private static Workplace open(
            PipelineConfig pipeline,
            RunOptions options,
            RunListener listener,
            Machine machine,
            boolean watching,
            String id,
            Optional<StateFolder> state,
            Optional<Path> stagingFolder,
            KeyFilter wanted)
            throws ConfigException, IOException {
        if (state.isPresent()) {
            removeNativeLibraries(state.get().path());
            System.setProperty("org.sqlite.tmpdir", state.get().path().toString());
        }
        Optional<Path> folder = state.map(StateFolder::path);
        String sourceName = Places.name(pipeline.source());
        Ledger ledger = ledger(options, machine, id, sourceName, folder);
        try {
            ObjectStore sink = sink(pipeline, id, folder, machine.stores());
            Claim claim = new Claim(
                    id,
                    ledger,
                    pipeline,
                    options.sharedSink(),
                    options.acceptRoutingChange(),
                    listener::note,
                    ledgerName(options, folder));
            claim.check(sink);
            if (sink instanceof FileStore files) {
                prepare(files, pipeline, machine.caseProbe());
            }
            ObjectStore staging = stagingFolder.isPresent()
                    ? new FileStore(stagingFolder.get(), id, folder.orElseThrow())
                    : machine.stores().store(stagingLocation(pipeline, options, id));
            if (staging instanceof FileStore files) {
                files.cleanTemporary();
            }
            EtagCache etags = pipeline.source() instanceof Location.Directory
                    ? SqliteEtagCache.of(folder.orElseThrow(), sourceName)
                    : EtagCache.NONE;
            SourceStore source = source(pipeline, etags, folder, machine.stores(), watching);
            claim.save(sink);
            int prefix = pipeline.sink() instanceof Location.S3 s3
                    ? s3.prefix().getBytes(StandardCharsets.UTF_8).length + 1
                    : 0;
            return new Workplace(id, state, ledger, etags, source, sink, staging, stagingFolder, prefix, wanted);
        } catch (ConfigException | IOException | RuntimeException e) {
            ledger.close();
            throw e;
        }
    }

    private static KeyFilter filter(PipelineConfig pipeline) throws ConfigException {
        try {
            return KeyFilter.of(pipeline.include(), pipeline.exclude());
        } catch (IllegalArgumentException e) {
            throw new ConfigException("include, exclude: " + e.getMessage());
        }
    }

    /** A killed JVM leaves the library that the SQLite driver unpacked; whoever holds the lock is the only one to use it. */
    private static void removeNativeLibraries(Path state) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(state, "sqlite-*libsqlitejdbc*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Stores.Remote remote(PipelineConfig pipeline, Optional<Location.S3> staging) {
        return new Stores.Remote(
                pipeline.source() instanceof Location.S3 s ? Optional.of(s) : Optional.empty(),
                pipeline.sink() instanceof Location.S3 s ? Optional.of(s) : Optional.empty(),
                staging);
    }

    /** None when nothing is kept on this machine: the ledger is elsewhere, and so are source, sink and staging. */
    private static Optional<Path> stateFolder(PipelineConfig pipeline, RunOptions options, Machine machine, String id)
            throws ConfigException {
        boolean needed = options.ledger() instanceof LedgerPlace.Embedded
                || pipeline.source() instanceof Location.Directory
                || pipeline.sink() instanceof Location.Directory
                || options.staging().filter(where -> !where.startsWith("s3://")).isPresent();
        if (!needed) {
            return Optional.empty();
        }
        return Optional.of(
                options.state().isPresent()
                        ? options.state().get().toAbsolutePath()
                        : StateFolder.byDefault(id, machine.environment()));
    }

    private static Ledger ledger(
            RunOptions options, Machine machine, String id, String sourceName, Optional<Path> folder)
            throws ConfigException, IOException {
        return switch (options.ledger()) {
            case LedgerPlace.Embedded _ ->
                new SqliteLedger(StateFolder.ledger(folder.orElseThrow()), sourceName, machine.clock());
            case LedgerPlace.Table table -> machine.ledgers().open(table.name(), id, sourceName, machine.clock());
        };
    }

    /** How errors name the ledger. */
    private static String ledgerName(RunOptions options, Optional<Path> folder) {
        return switch (options.ledger()) {
            case LedgerPlace.Embedded _ -> "the state in " + folder.orElseThrow();
            case LedgerPlace.Table table -> "the ledger " + table;
        };
    }

    private static Optional<Path> stagingFolder(PipelineConfig pipeline, RunOptions options, Optional<Path> state) {
        if (options.staging().isPresent()) {
            String where = options.staging().get();
            return where.startsWith("s3://")
                    ? Optional.empty()
                    : Optional.of(Path.of(where).toAbsolutePath());
        }
        return pipeline.sink() instanceof Location.Directory ? state.map(s -> s.resolve("staging")) : Optional.empty();
    }

    /** Where bundles wait when that is no directory: as asked for, else beside the sink's prefix in its bucket (design §6). */
    private static Location.S3 stagingLocation(PipelineConfig pipeline, RunOptions options, String id)
            throws ConfigException {
        Optional<Location.S3> sink = pipeline.sink() instanceof Location.S3 s ? Optional.of(s) : Optional.empty();
        Optional<String> region = sink.flatMap(Location.S3::region);
        Optional<String> endpoint = sink.flatMap(Location.S3::endpointUrl);
        if (options.staging().isPresent()) {
            String[] parts = options.staging().get().substring("s3://".length()).split("/", 2);
            String prefix = parts.length == 2 ? parts[1] : "";
            return new Location.S3(parts[0], asFolder(prefix) + id + "/", region, endpoint, false);
        }
        return Places.stagingBeside(sink.orElseThrow(), id, "give --staging s3://OTHER-BUCKET/PREFIX");
    }

    private static String asFolder(String prefix) {
        return prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
    }

    private static SourceStore source(
            PipelineConfig pipeline, EtagCache etags, Optional<Path> spill, Stores stores, boolean watching)
            throws ConfigException, IOException {
        return switch (pipeline.source()) {
            case Location.Directory d ->
                watching
                        ? FileSource.watched(d.path(), etags, spill.orElseThrow())
                        : new FileSource(d.path(), etags, spill.orElseThrow());
            case Location.S3 s -> stores.source(s);
        };
    }

    private static ObjectStore sink(PipelineConfig pipeline, String id, Optional<Path> state, Stores stores)
            throws ConfigException, IOException {
        return switch (pipeline.sink()) {
            case Location.Directory d -> new FileStore(d.path(), id, state.orElseThrow());
            case Location.S3 s -> stores.store(s);
        };
    }

    private static void requireListable(SourceStore source) throws IOException {
        try (ObjectListing listing = source.list(KeyRange.ALL)) {
            Optional<ListEntry> _ = listing.next();
        }
    }

    private static void prepare(FileStore sink, PipelineConfig pipeline, CaseProbe probe) throws IOException {
        sink.prepare();
        sink.cleanTemporary();
        if (pipeline.sink() instanceof Location.Directory d && !probe.distinguishesCase(d.path())) {
            throw new StoreException(
                    "the sink is on a file system that ignores letter case, where tenants A and a would become one: "
                            + d.path() + "; choose a place on another one");
        }
    }

    /** Which keys are to be copied. */
    KeyFilter wanted() {
        return wanted;
    }

    /** What stands before a partition path in the key of a landed object, bytes. */
    int sinkPrefixBytes() {
        return sinkPrefixBytes;
    }

    String pipelineId() {
        return pipelineId;
    }

    Ledger ledger() {
        return ledger;
    }

    SourceStore source() {
        return source;
    }

    ObjectStore sink() {
        return sink;
    }

    ObjectStore staging() {
        return staging;
    }

    /** Staging on a disk is not compressed: it is written and read once, and local bytes are cheap. */
    SliceCodec stagingCodec() {
        return stagingFolder.isPresent() ? SliceCodec.NONE : SliceCodec.ZSTD;
    }

    int landingThreads(RunOptions options) {
        return Math.max(options.threads(), LANDING_THREADS);
    }

    /** By default half of what is free on the disk of staging. */
    long stagingMax(RunOptions options) throws IOException {
        if (options.stagingMax().isPresent()) {
            return options.stagingMax().get();
        }
        if (stagingFolder.isEmpty()) {
            return Long.MAX_VALUE;
        }
        Files.createDirectories(stagingFolder.get());
        return Math.max(1, Files.getFileStore(stagingFolder.get()).getUsableSpace() / 2);
    }

    /** Leaves no temporary folder. */
    void tidy() throws IOException {
        if (sink instanceof FileStore files) {
            files.removeTemporaryFolder();
        }
        if (staging instanceof FileStore files) {
            files.removeTemporaryFolder();
        }
    }

    @Override
    public void close() throws IOException {
        try (Closeable _ = () -> {
                    if (state.isPresent()) {
                        state.get().close();
                    }
                };
                ledger;
                etags) {
            // Also after a failure: unfinished files are of no use to anyone, and hidden ones are not to stay in the
            // sink.
            tidy();
        }
    }
}
