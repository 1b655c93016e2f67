package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.Functions;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whole runs by the deployed definitions. */
final class RunTest {
    @Test
    void aRunLandsTheArchiveAndASecondOneFindsNothingNew() throws Exception {
        try (Cloud cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC())) {
            Archive archive = Archive.of(5, 300, 2_000).write(cloud::put);
            var machines = cloud.machines(cloud.inProcess());
            Run run = cloud.start();
            Execution.Result end = cloud.execute(machines, run).await();
            assertThat(end.status()).isEqualTo(Execution.Status.SUCCEEDED);
            assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
            Run ended = cloud.registry().find(run.runId());
            assertThat(ended.status()).isEqualTo(RunStatus.SUCCEEDED);
            assertThat(ended.outcome().orElseThrow().digest())
                    .contains(archive.records().toString());
            assertThat(copiedBy(run, cloud)).isEqualTo(archive.objects());
            cloud.requireNoGarbage();

            Run second = cloud.start();
            assertThat(cloud.execute(machines, second).await().status()).isEqualTo(Execution.Status.SUCCEEDED);
            assertThat(copiedBy(second, cloud)).isZero();
            assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
        }
    }

    /** More than three rounds copy nothing: each gets on in what is copied already. */
    @Test
    void aRangeOfCopiedObjectsThatNoWorkerGetsThroughIsGoneThroughRoundByRound() throws Exception {
        try (Cloud cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC())) {
            Archive archive = Archive.of(5, 120, 500).write(cloud::put);
            InProcess functions = cloud.inProcess();
            assertThat(cloud.execute(cloud.machines(functions), cloud.start())
                            .await()
                            .status())
                    .isEqualTo(Execution.Status.SUCCEEDED);
            Run second = cloud.start();
            AtomicInteger copies = new AtomicInteger();
            Functions shortLived = (name, payload) -> {
                if (!name.equals("copy")) {
                    return functions.invoke(name, payload);
                }
                copies.incrementAndGet();
                return cloud.inProcess(cloud.wiring(new TickingClock(cloud.clock(), Duration.ofMillis(100))))
                        .limit(Duration.ofSeconds(3))
                        .invoke(name, payload);
            };
            Execution.Result end =
                    cloud.execute(cloud.machines(shortLived), second).await();
            assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
            assertThat(copies.get())
                    .as("more rounds than may pass without progress")
                    .isGreaterThan(4);
            assertThat(copiedBy(second, cloud)).isZero();
            assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
        }
    }

    @Test
    void threeRoundsThatGetNowhereEndTheRun() throws Exception {
        try (Cloud cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC())) {
            Archive _ = Archive.of(5, 10, 500).write(cloud::put);
            InProcess functions = cloud.inProcess();
            AtomicInteger copies = new AtomicInteger();
            // Before an object that is left each time, whatever is done behind it.
            Functions stuck = (name, payload) -> {
                if (name.equals("copy")) {
                    copies.incrementAndGet();
                    return functions.limit(cloud.settings().margin()).invoke(name, payload);
                }
                return functions.limit(Duration.ofMinutes(15)).invoke(name, payload);
            };
            Run run = cloud.start();
            Execution.Result end = cloud.execute(cloud.machines(stuck), run).await();
            assertThat(end.status()).isEqualTo(Execution.Status.FAILED);
            assertThat(copies.get()).isEqualTo(3);
            Run ended = cloud.registry().find(run.runId());
            assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
            assertThat(ended.lastError().orElseThrow()).contains("three rounds in a row");
        }
    }

    private static long copiedBy(Run run, Cloud cloud) throws Exception {
        return cloud.registry()
                .find(run.runId())
                .outcome()
                .orElseThrow()
                .totals()
                .objectsCopied();
    }
}
