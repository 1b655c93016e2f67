package dev.stet.run;

import dev.stet.codec.SliceCodec;
import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.LocationCheck;
import dev.stet.config.PipelineConfig;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.PipelineRow;
import dev.stet.ledger.SqliteLedger;
import dev.stet.store.CaseProbe;
import dev.stet.store.EtagCache;
import dev.stet.store.FileSource;
import dev.stet.store.FileStore;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Everything one run works with, opened and checked in the order in which a refusal does no harm: nothing is written to the sink before all else fits. */
final class Workplace implements Closeable {
    private static final int LANDING_THREADS_FOR_FILES = 8;

    private final String pipelineId;
    private final StateFolder state;
    private final Ledger ledger;
    private final EtagCache etags;
    private final SourceStore source;
    private final ObjectStore sink;
    private final ObjectStore staging;
    private final Optional<Path> stagingFolder;
    private final int sinkPrefixBytes;

    private Workplace(
            String pipelineId,
            StateFolder state,
            Ledger ledger,
            EtagCache etags,
            SourceStore source,
            ObjectStore sink,
            ObjectStore staging,
            Optional<Path> stagingFolder,
            int sinkPrefixBytes) {
        this.pipelineId = pipelineId;
        this.state = state;
        this.ledger = ledger;
        this.etags = etags;
        this.source = source;
        this.sink = sink;
        this.staging = staging;
        this.stagingFolder = stagingFolder;
        this.sinkPrefixBytes = sinkPrefixBytes;
    }

    static Workplace open(
            PipelineConfig pipeline, RunOptions options, RunListener listener, Machine machine, boolean watching)
            throws ConfigException, IOException {
        if (pipeline.format() != Format.JSON) {
            throw new ConfigException("format " + pipeline.format().name().toLowerCase(java.util.Locale.ROOT)
                    + " is not supported yet; json is");
        }
        LocationCheck.apart(pipeline.source(), pipeline.sink());
        String id = PipelineId.of(pipeline);
        Path stateFolder = options.state().isPresent()
                ? options.state().get().toAbsolutePath()
                : StateFolder.byDefault(id, machine.environment());
        LocationCheck.outside("the state", stateFolder, pipeline.source(), pipeline.sink());
        Optional<Path> stagingFolder = stagingFolder(pipeline, options, stateFolder);
        if (stagingFolder.isPresent()) {
            LocationCheck.outside("staging", stagingFolder.get(), pipeline.source(), pipeline.sink());
        }
        requireListable(source(pipeline, EtagCache.NONE, stateFolder, machine.stores(), false));
        StateFolder state = StateFolder.lock(stateFolder);
        try {
            return open(pipeline, options, listener, machine, watching, id, state, stagingFolder);
        } catch (ConfigException | IOException | RuntimeException e) {
            state.close();
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
            StateFolder state,
            Optional<Path> stagingFolder)
            throws ConfigException, IOException {
        System.setProperty("org.sqlite.tmpdir", state.path().toString());
        String sourceName = Places.name(pipeline.source());
        Ledger ledger = new SqliteLedger(state.resolve("ledger.sqlite"), sourceName, machine.clock());
        try {
            ObjectStore sink = sink(pipeline, id, state, machine.stores());
            new Claim(ledger, pipeline, options, listener, state.path()).check(sink);
            if (sink instanceof FileStore files) {
                prepare(files, pipeline, machine.caseProbe());
            }
            ObjectStore staging = stagingFolder.isPresent()
                    ? new FileStore(stagingFolder.get(), id, state.path())
                    : machine.stores().store(stagingLocation(pipeline, options));
            if (staging instanceof FileStore files) {
                files.cleanTemporary();
            }
            EtagCache etags = pipeline.source() instanceof Location.Directory
                    ? SqliteEtagCache.of(state.path(), sourceName)
                    : EtagCache.NONE;
            SourceStore source = source(pipeline, etags, state.path(), machine.stores(), watching);
            new Claim(ledger, pipeline, options, listener, state.path()).save();
            int prefix = pipeline.sink() instanceof Location.S3 s3
                    ? s3.prefix().getBytes(StandardCharsets.UTF_8).length + 1
                    : 0;
            return new Workplace(id, state, ledger, etags, source, sink, staging, stagingFolder, prefix);
        } catch (ConfigException | IOException | RuntimeException e) {
            ledger.close();
            throw e;
        }
    }

    private static Optional<Path> stagingFolder(PipelineConfig pipeline, RunOptions options, Path state) {
        if (options.staging().isPresent()) {
            String where = options.staging().get();
            return where.startsWith("s3://")
                    ? Optional.empty()
                    : Optional.of(Path.of(where).toAbsolutePath());
        }
        return pipeline.sink() instanceof Location.Directory ? Optional.of(state.resolve("staging")) : Optional.empty();
    }

    private static Location.S3 stagingLocation(PipelineConfig pipeline, RunOptions options) throws ConfigException {
        throw new ConfigException("staging on S3 is not supported yet: "
                + options.staging().orElse(pipeline.sink().describe()));
    }

    private static SourceStore source(
            PipelineConfig pipeline, EtagCache etags, Path spill, Stores stores, boolean watching)
            throws ConfigException, IOException {
        return switch (pipeline.source()) {
            case Location.Directory d ->
                watching ? FileSource.watched(d.path(), etags, spill) : new FileSource(d.path(), etags, spill);
            case Location.S3 s -> stores.source(s);
        };
    }

    private static ObjectStore sink(PipelineConfig pipeline, String id, StateFolder state, Stores stores)
            throws ConfigException, IOException {
        return switch (pipeline.sink()) {
            case Location.Directory d -> new FileStore(d.path(), id, state.path());
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

    /** Landing waits for disks more than it computes. */
    int landingThreads(RunOptions options) {
        return Math.max(options.threads(), sink instanceof FileStore ? LANDING_THREADS_FOR_FILES : 1);
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
        try (state;
                ledger;
                etags) {
            // Also after a failure: unfinished files are of no use to anyone, and hidden ones are not to stay in the
            // sink.
            tidy();
        }
    }

    /** Whether a state belongs to a pipeline, and may be used as it is asked for. */
    private record Claim(Ledger ledger, PipelineConfig pipeline, RunOptions options, RunListener listener, Path state) {

        void check(ObjectStore sink) throws ConfigException, IOException {
            Optional<PipelineRow> known = ledger.pipeline();
            if (known.isEmpty()) {
                requireUnusedSink(sink);
                return;
            }
            PipelineRow mine = row();
            boolean sameSource = known.get().source().equals(mine.source());
            if (!known.get().sink().equals(mine.sink())
                    || (!sameSource && pipeline.name().isEmpty())) {
                throw new ConfigException("the state in " + state + " belongs to a copy from "
                        + known.get().source() + " to " + known.get().sink()
                        + "; give another --state for another source or sink");
            }
            if (!sameSource) {
                listener.note("the source was " + known.get().source() + " before; all of " + mine.source()
                        + " is new to this pipeline");
            }
            if (!known.get().routing().equals(mine.routing()) && !options.acceptRoutingChange()) {
                throw new ConfigException(
                        "the routing settings are not those this state was begun with: "
                                + RoutingText.difference(known.get().routing(), mine.routing())
                                + "; what is copied would stay where it is. To use the new ones from now on, add --accept-routing-change");
            }
        }

        void save() throws IOException {
            Optional<PipelineRow> known = ledger.pipeline();
            long revision = known.map(PipelineRow::revision).orElse(0L);
            PipelineRow mine = row();
            PipelineRow asKnown = new PipelineRow(mine.source(), mine.sink(), mine.routing(), revision);
            if (!known.equals(Optional.of(asKnown))) {
                Ledger.Outcome _ = ledger.savePipeline(mine, revision);
            }
        }

        private PipelineRow row() {
            return new PipelineRow(
                    Places.name(pipeline.source()), Places.name(pipeline.sink()), RoutingText.of(pipeline), 0);
        }

        private void requireUnusedSink(ObjectStore sink) throws ConfigException, IOException {
            if (options.sharedSink()) {
                return;
            }
            try (ObjectListing listing = sink.list(KeyRange.ALL)) {
                for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                    String key = e.get().key();
                    if (key.startsWith("apply-", key.lastIndexOf('/') + 1)) {
                        throw new ConfigException(
                                "the sink holds landed objects that this state does not know: "
                                        + sink.describe(key) + " (state: " + state
                                        + "); use the state they were copied with, an empty sink, or --shared-sink if others write here too");
                    }
                }
            }
        }
    }
}
