package dev.stet.aws.s3;

import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.PipelineConfig;
import dev.stet.config.SinkCompression;
import dev.stet.route.RoutingSettings;
import dev.stet.route.TimeUnit;
import dev.stet.run.Engines;
import dev.stet.run.LedgerPlace;
import dev.stet.run.Ledgers;
import dev.stet.run.RunCounters;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** How a whole run of the engine ended, and what it told meanwhile. */
final class Run {
    /** As the shipped examples set it. */
    static final RoutingSettings ROUTING = new RoutingSettings(
            List.of("event_type"),
            "",
            List.of(new RoutingSettings.PartitionLevel(
                    List.of("detail.tenant_id", "tenant_id", "tid", "truck.tenant_id", "device.tenant_id"),
                    Optional.of("tenant_id"))),
            "p_",
            List.of("time", "system_datetime", "date"),
            TimeUnit.DAY,
            "p_",
            true,
            Map.of(),
            RoutingSettings.OnMissing.QUARANTINE);

    private static final int THREADS = 2;
    private static final long MEMORY = 64L << 20;

    private final Queue<String> unreadable = new ConcurrentLinkedQueue<>();
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();
    private final Queue<String> replaced = new ConcurrentLinkedQueue<>();
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();
    private Optional<RunResult> result = Optional.empty();
    private Optional<Exception> failure = Optional.empty();

    private Run() {}

    /** Runs {@code stet copy} to its end, as a process of its own would. @param state folder of the ledger */
    static Run copy(Location source, Location sink, Path state, Supplier<S3Stores> stores) {
        return of(pipeline(source, sink, ROUTING, Optional.empty()), options(state), stores);
    }

    static Run of(PipelineConfig pipeline, RunOptions options, Supplier<S3Stores> stores) {
        return of(pipeline, options, stores, Ledgers.NONE);
    }

    static Run of(PipelineConfig pipeline, RunOptions options, Supplier<S3Stores> stores, Ledgers ledgers) {
        return at(Clock.systemUTC(), pipeline, options, stores, ledgers);
    }

    /** @param clock the engine's; the SDK has its own */
    static Run at(
            Clock clock, PipelineConfig pipeline, RunOptions options, Supplier<S3Stores> stores, Ledgers ledgers) {
        Run run = new Run();
        try (S3Stores opened = stores.get()) {
            run.result = Optional.of(Engines.at(clock, opened, ledgers).run(pipeline, options, run.new Listener()));
        } catch (ConfigException | IOException | RuntimeException e) {
            run.failure = Optional.of(e);
        }
        return run;
    }

    static PipelineConfig pipeline(
            Location source, Location sink, RoutingSettings routing, Optional<String> recordFieldPath) {
        return new PipelineConfig(
                Optional.empty(),
                Optional.empty(),
                source,
                Format.JSON,
                List.of(),
                List.of(),
                recordFieldPath,
                routing,
                sink,
                SinkCompression.NONE,
                PipelineConfig.LandingPolicy.DEFAULT);
    }

    static RunOptions options(Path state) {
        return options(LedgerPlace.EMBEDDED, Optional.of(state));
    }

    static RunOptions options(LedgerPlace ledger, Optional<Path> state) {
        return new RunOptions(
                ledger, state, Optional.empty(), Optional.empty(), THREADS, Optional.of(MEMORY), true, false, false);
    }

    /** Hears and says nothing. */
    static RunListener silent() {
        return new Run().new Listener();
    }

    /** The command's exit code. */
    int exit() {
        if (failure.isPresent()) {
            return failure.get() instanceof ConfigException ? 2 : 1;
        }
        return result.orElseThrow().incomplete() ? 3 : 0;
    }

    /** Of a run that did not fail. */
    RunCounters counters() {
        return result.orElseThrow(() -> new AssertionError("the run failed", failure.orElseThrow()))
                .counters();
    }

    /** The line on standard error. */
    String error() {
        return String.valueOf(failure.orElseThrow(() -> new AssertionError("the run did not fail"))
                .getMessage());
    }

    /** {@code KEY reason}, sorted. */
    List<String> unreadable() {
        return unreadable.stream().sorted().toList();
    }

    List<String> messages() {
        return List.copyOf(messages);
    }

    List<String> replaced() {
        return replaced.stream().sorted().toList();
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    private final class Listener implements RunListener {
        @Override
        public void phase(String name) {}

        @Override
        public void unreadable(String source, String reason, String message) {
            Collections.addAll(unreadable, source + " " + reason);
            Collections.addAll(messages, message);
        }

        @Override
        public void replaced(String source) {
            Collections.addAll(replaced, source);
        }

        @Override
        public void note(String text) {
            Collections.addAll(notes, text);
        }
    }
}
