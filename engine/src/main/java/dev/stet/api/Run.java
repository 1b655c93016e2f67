package dev.stet.api;

import dev.stet.config.ConfigContext;
import dev.stet.config.ConfigException;
import dev.stet.config.LoadedPipeline;
import dev.stet.config.Locations;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import dev.stet.run.Engine;
import dev.stet.run.LedgerPlace;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One run of a pipeline, put together and then started. Its options are the flags of the command (docs/configuration.md): how this machine is used; nothing
 * here changes what lands.
 */
public final class Run {
    private final LoadedPipeline pipeline;
    private Consumer<Event> events = _ -> {};
    private LedgerPlace ledger = LedgerPlace.EMBEDDED;
    private Optional<Path> state = Optional.empty();
    private Optional<String> staging = Optional.empty();
    private Optional<Long> stagingMax = Optional.empty();
    private int threads = Runtime.getRuntime().availableProcessors();
    private Optional<Long> memory = Optional.empty();
    private boolean flush = true;
    private boolean sharedSink;
    private boolean acceptRoutingChange;

    private Run(LoadedPipeline pipeline) {
        this.pipeline = pipeline;
    }

    /**
     * A run of one pipeline, with the default options.
     *
     * @throws ConfigException no such pipeline, or a setting is wrong
     */
    public static Run of(Config config, String pipeline) throws ConfigException {
        return new Run(config.resolve(pipeline));
    }

    /** Which ledger: {@code sqlite}, or {@code dynamodb:TABLE} where the engine knows tables. */
    public Run ledger(String place) throws ConfigException {
        ledger = LedgerPlace.parse(place, "ledger");
        return this;
    }

    /** Where the ledger lies; a folder of the user's unless set. */
    public Run state(Path folder) {
        state = Optional.of(folder.toAbsolutePath());
        return this;
    }

    /** Where records wait to land, a directory or {@code s3://BUCKET/PREFIX}; beside the ledger unless set, beside an S3 sink in its bucket. */
    public Run staging(String place) throws ConfigException {
        staging =
                Optional.of(Locations.parse(place, ConfigContext.ofProcess().workingDirectory(), new Setting("staging"))
                        .describe());
        return this;
    }

    /** Most bytes that may wait there; half of the disk's free space unless set. */
    public Run stagingMax(long bytes) throws ConfigException {
        stagingMax = Optional.of(SettingValues.size(Long.toString(bytes), new Setting("staging_max")));
        return this;
    }

    /** Copy workers; one for each processor unless set. */
    public Run threads(int number) throws ConfigException {
        threads = SettingValues.threads(Integer.toString(number), new Setting("threads"));
        return this;
    }

    /** Bytes for records on their way, all workers together; half of the heap unless set. */
    public Run memory(long bytes) throws ConfigException {
        memory = Optional.of(SettingValues.size(Long.toString(bytes), new Setting("memory")));
        return this;
    }

    /** Leaves what is committed and not due to the next run. */
    public Run noFlush() {
        flush = false;
        return this;
    }

    /** The sink may hold objects that other runs of Stet landed. */
    public Run sharedSink() {
        sharedSink = true;
        return this;
    }

    /** Changed routing settings are meant; they apply from now on. */
    public Run acceptRoutingChange() {
        acceptRoutingChange = true;
        return this;
    }

    /** Hears of the run while it goes, from several threads; must return at once. */
    public Run onEvent(Consumer<Event> listener) {
        events = listener;
        return this;
    }

    /**
     * Copies what is new, lands it and ends. Blocks; {@link Engine#stop} ends it early, {@link Engine#counters} tells of it meanwhile.
     *
     * @param engine not used before
     * @throws ConfigException the request does not fit the state, source or sink, and nothing was done (exit code 2)
     * @throws IOException the run failed; the same run again goes on where it ended (exit code 1)
     */
    public Outcome once(Engine engine) throws ConfigException, IOException {
        tellNotes();
        return Outcome.of(engine.run(pipeline.config(), options(), new Listener(events)));
    }

    /** Like {@link #once} again and again as objects come, landing what is due, until {@link Engine#stop}. */
    public Outcome watch(Engine engine) throws ConfigException, IOException {
        tellNotes();
        return Outcome.of(engine.watch(pipeline.config(), options(), new Listener(events)));
    }

    private RunOptions options() {
        return new RunOptions(
                ledger, state, staging, stagingMax, threads, memory, flush, sharedSink, acceptRoutingChange);
    }

    private void tellNotes() {
        pipeline.notes().forEach(note -> events.accept(new Event.Note(note)));
    }

    private record Listener(Consumer<Event> events) implements RunListener {
        @Override
        public void phase(String name) {
            events.accept(new Event.Phase(name));
        }

        @Override
        public void unreadable(String source, String reason, String message) {
            events.accept(new Event.Unreadable(source, reason, message));
        }

        @Override
        public void replaced(String source) {
            events.accept(new Event.Replaced(source));
        }

        @Override
        public void note(String text) {
            events.accept(new Event.Note(text));
        }
    }
}
