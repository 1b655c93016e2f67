package dev.stet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.api.Outcome.Ending;
import dev.stet.config.ConfigException;
import dev.stet.config.PipelineConfig;
import dev.stet.run.Engine;
import dev.stet.run.LedgerPlace;
import dev.stet.run.LocalEngine;
import dev.stet.run.RunCounters;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTest {
    @TempDir
    private Path work;

    private Config config() {
        return new Config()
                .pipeline(new Pipeline("demo")
                        .dataSource(new DataSourceFile("raw")
                                .path(work.resolve("raw").toString()))
                        .dataSink(new DataSinkFile("lake")
                                .outputDir(work.resolve("lake").toString())));
    }

    /** Tells of one object and ends as it is told. */
    private static final class ScriptedEngine implements Engine {
        private final RunResult result;
        private final List<Object> asked = new ArrayList<>();

        ScriptedEngine(long unreadable, boolean stopped) {
            RunCounters none = RunCounters.NONE;
            result = new RunResult(
                    new RunCounters(1, 0, unreadable, 2, none.recordsQuarantined(), 3, 4, 5, 6, none.digest(), true),
                    1_500,
                    stopped);
        }

        @Override
        public RunResult run(PipelineConfig pipeline, RunOptions options, RunListener listener) {
            asked.addAll(List.of("run", pipeline, options));
            listener.phase("copying");
            listener.unreadable("k", "deleted", "gone");
            listener.replaced("r");
            listener.note("n");
            return result;
        }

        @Override
        public RunResult watch(PipelineConfig pipeline, RunOptions options, RunListener listener) {
            asked.addAll(List.of("watch", pipeline, options));
            return result;
        }

        @Override
        public RunCounters counters() {
            return result.counters();
        }

        @Override
        public void stop() {}
    }

    @Test
    void theEndSaysWhetherEverythingWasRead() throws Exception {
        Outcome complete = Run.of(config(), "demo").once(new ScriptedEngine(0, false));
        assertThat(complete.ending()).isEqualTo(Ending.COMPLETE);
        assertThat(complete.exitCode()).isZero();
        assertThat(complete.elapsed()).hasMillis(1_500);
        assertThat(complete.counters().landedObjects()).isEqualTo(3);
        Outcome incomplete = Run.of(config(), "demo").once(new ScriptedEngine(1, false));
        assertThat(incomplete.ending()).isEqualTo(Ending.INCOMPLETE);
        assertThat(incomplete.exitCode()).isEqualTo(3);
        Outcome stopped = Run.of(config(), "demo").watch(new ScriptedEngine(0, true));
        assertThat(stopped.ending()).isEqualTo(Ending.STOPPED);
    }

    @Test
    void theEngineIsAskedForTheCheckedPipelineWithTheOptionsGiven() throws Exception {
        ScriptedEngine engine = new ScriptedEngine(0, false);
        Run run = Run.of(config(), "demo")
                .ledger("dynamodb:stet")
                .state(work)
                .staging("s3://b/staging")
                .stagingMax(7)
                .threads(3)
                .memory(8)
                .noFlush()
                .sharedSink()
                .acceptRoutingChange();
        assertThat(run.watch(engine).ending()).isEqualTo(Ending.COMPLETE);
        assertThat(engine.asked)
                .containsExactly(
                        "watch",
                        config().resolve("demo").config(),
                        new RunOptions(
                                new LedgerPlace.Table("stet"),
                                Optional.of(work),
                                Optional.of("s3://b/staging"),
                                Optional.of(7L),
                                3,
                                Optional.of(8L),
                                false,
                                true,
                                true));
    }

    @Test
    void eventsAreThoseOfTheCommand() throws Exception {
        List<Event> events = new ArrayList<>();
        Outcome outcome = Run.of(config(), "demo").onEvent(events::add).once(new ScriptedEngine(1, false));
        assertThat(outcome.counters().objectsUnreadable()).isEqualTo(1);
        assertThat(events)
                .containsExactly(
                        new Event.Phase("copying"),
                        new Event.Unreadable("k", "deleted", "gone"),
                        new Event.Replaced("r"),
                        new Event.Note("n"));
    }

    @Test
    void wrongOptionsAreNamed() throws ConfigException {
        Run run = Run.of(config(), "demo");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> run.threads(0))
                .withMessage("threads: \"0\" is not a number of threads (1 to 10000)");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> run.memory(0))
                .withMessageStartingWith("memory: \"0\" is not a size");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> run.staging("gs://x"))
                .withMessageStartingWith("staging: \"gs://x\"");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> run.ledger("oracle"))
                .withMessageStartingWith("ledger: ");
    }

    @Test
    void whatDoesNotFitIsRefusedByTheEngineWithNothingDone() throws Exception {
        Files.createDirectories(work.resolve("raw"));
        Config inside = config().pipeline(config().pipelines()
                .iterator()
                .next()
                .dataSink(new DataSinkFile("lake")
                        .outputDir(work.resolve("raw/lake").toString())));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(
                        () -> Run.of(inside, "demo").state(work.resolve("s")).once(new LocalEngine()))
                .withMessageStartingWith("the sink lies inside the source");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Run.of(
                                config().pipeline(new Pipeline("demo")
                                        .dataSource(new DataSourceFile("raw")
                                                .path(work.resolve("none").toString()))
                                        .dataSink(new DataSinkFile("lake")
                                                .outputDir(work.resolve("lake").toString()))),
                                "demo")
                        .state(work.resolve("s"))
                        .once(new LocalEngine()));
        assertThat(work.resolve("lake")).doesNotExist();
    }
}
