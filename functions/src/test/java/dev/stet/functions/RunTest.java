package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.time.Clock;
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
            assertThat(ended.outcome().orElseThrow().totals().objectsCopied()).isEqualTo(archive.objects());
            cloud.requireNoGarbage();

            Run second = cloud.start();
            assertThat(cloud.execute(machines, second).await().status()).isEqualTo(Execution.Status.SUCCEEDED);
            assertThat(cloud.registry()
                            .find(second.runId())
                            .outcome()
                            .orElseThrow()
                            .totals()
                            .objectsCopied())
                    .isZero();
            assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
        }
    }
}
