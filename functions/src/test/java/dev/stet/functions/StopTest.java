package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.Functions;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Runs that are stopped: what is whole is committed, and the next run goes on from there. */
final class StopTest {
    private Archive archive = Archive.of(0, 0, 0);
    private Cloud cloud;

    @BeforeEach
    void makeArchive() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
        archive = Archive.of(3, 600, 1_500).write(cloud::put);
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private void nextRunLandsEverything(long copiedBefore) throws Exception {
        Run next = cloud.start();
        Execution.Result end =
                cloud.execute(cloud.machines(cloud.inProcess()), next).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(archive.differences(cloud.sink(), Integer.MAX_VALUE)).isEmpty();
        assertThat(cloud.registry()
                                .find(next.runId())
                                .outcome()
                                .orElseThrow()
                                .totals()
                                .objectsCopied()
                        + copiedBefore)
                .isEqualTo(archive.objects());
        cloud.requireNoGarbage();
    }

    @Test
    void stopRunEndsTheRoundsAndLeavesLandingToTheNextRun() throws Exception {
        Run run = cloud.start();
        Functions functions = cloud.inProcess();
        AtomicInteger copies = new AtomicInteger();
        Functions stopping = (name, payload) -> {
            // So small an archive is one task: its worker finds the stop when it looks first.
            if (name.equals("copy") && copies.incrementAndGet() == 1) {
                try {
                    Run _ = cloud.registry().stop(run.runId());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
            return functions.invoke(name, payload);
        };
        Execution.Result end = cloud.execute(cloud.machines(stopping), run).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        Run stopped = cloud.registry().find(run.runId());
        assertThat(stopped.status()).isEqualTo(RunStatus.STOPPED);
        long copied = stopped.outcome().orElseThrow().totals().objectsCopied();
        assertThat(copied).isLessThan(archive.objects());
        assertThat(stopped.outcome().orElseThrow().totals().landedObjects()).isZero();
        nextRunLandsEverything(copied);
    }

    @Test
    void aRunThatIsToStopBeforeItBeginsEndsAtOnce() throws Exception {
        Run run = cloud.start();
        Run _ = cloud.registry().stop(run.runId());
        Execution.Result end =
                cloud.execute(cloud.machines(cloud.inProcess()), run).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(cloud.registry().find(run.runId()).status()).isEqualTo(RunStatus.STOPPED);
        nextRunLandsEverything(0);
    }

    /** StopExecution, behind the registry's back: EventBridge tells of it, and what workers were at goes on without anybody hearing of it. */
    @Test
    void anAbortedExecutionFailsItsRunAndTheNextRunGoesOn() throws Exception {
        Run run = cloud.start();
        Functions functions = cloud.inProcess();
        CountDownLatch atWork = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Functions slow = (name, payload) -> {
            if (!name.equals("copy")) {
                return functions.invoke(name, payload);
            }
            atWork.countDown();
            goOn.await();
            try {
                return functions.invoke(name, payload);
            } finally {
                over.countDown();
            }
        };
        Execution execution = cloud.execute(cloud.machines(slow), run);
        atWork.await();
        execution.stop("User", "enough");
        assertThat(execution.await().status()).isEqualTo(Execution.Status.ABORTED);
        ObjectNode event = EventFiles.read("finish-run-execution-status.json", "RUN_ID", run.runId());
        assertThat(functions.invoke("finish-run", event).get("status").stringValue())
                .isEqualTo("FAILED");
        assertThat(cloud.registry().find(run.runId()).lastError().orElseThrow()).contains("ABORTED");
        goOn.countDown();
        over.await();

        Run next = cloud.start();
        Execution.Result end = cloud.execute(cloud.machines(functions), next).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(archive.differences(cloud.sink(), Integer.MAX_VALUE)).isEmpty();
        assertThat(functions
                        .invoke(
                                "finish-run",
                                JsonMapper.shared().createObjectNode().put("runId", run.runId()))
                        .get("status")
                        .stringValue())
                .as("a run that has ended stays as it is")
                .isEqualTo("FAILED");
    }
}
