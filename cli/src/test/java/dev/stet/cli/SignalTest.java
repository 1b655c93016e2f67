package dev.stet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.config.PipelineConfig;
import dev.stet.run.Engine;
import dev.stet.run.Ledgers;
import dev.stet.run.RunCounters;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(OS.WINDOWS)
class SignalTest {
    /** A run that goes on until it is asked to stop, in a JVM of its own. */
    static final class Endless {
        public static void main(String[] args) {
            System.exit(new Cli(new Surroundings(
                            System.out,
                            System.err,
                            Path.of("").toAbsolutePath(),
                            name -> Optional.empty(),
                            new Terminal(),
                            UntilStopped::new,
                            Ledgers.NONE))
                    .run(args));
        }
    }

    private static final class UntilStopped implements Engine {
        private final CountDownLatch stop = new CountDownLatch(1);

        @Override
        public RunResult run(PipelineConfig pipeline, RunOptions options, RunListener listener) {
            listener.note("running");
            try {
                stop.await();
                Thread.sleep(300); // what is whole is committed
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new RunResult(FakeEngine.COUNTERS, 1, true);
        }

        @Override
        public RunResult watch(PipelineConfig pipeline, RunOptions options, RunListener listener) {
            return run(pipeline, options, listener);
        }

        @Override
        public RunCounters counters() {
            return FakeEngine.COUNTERS;
        }

        @Override
        public void stop() {
            stop.countDown();
        }
    }

    @Test
    void sigtermLetsTheRunEndAndTell() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Endless.class.getName(),
                        "copy",
                        "a",
                        "b",
                        "--output",
                        "json")
                .redirectErrorStream(true)
                .start();
        try (var output = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("{\"event\":\"note\",\"message\":\"running\"}");
            process.toHandle().destroy(); // SIGTERM; unlike destroy() it leaves the streams open
            assertThat(output.readLine()).startsWith("{\"event\":\"summary\"").contains("\"stopped\":true");
            assertThat(output.readLine()).isNull();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
    }
}
