package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.Functions;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.ledger.CommitState;
import dev.stet.registry.Run;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The same task in the hands of two workers: each record lands once, and nothing is left behind. */
final class SameTaskTest {
    private Archive archive = Archive.of(0, 0, 0);
    private Cloud cloud;

    @BeforeEach
    void makeArchive() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
        archive = Archive.of(6, 200, 2_000).write(cloud::put);
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private void requireGroundTruth() throws Exception {
        Run next = cloud.start();
        Execution.Result end =
                cloud.execute(cloud.machines(cloud.inProcess()), next).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
        cloud.requireNoGarbage();
    }

    /** As the service may deliver an invocation twice. */
    @Test
    void everyTaskOfARunIsCopiedByTwoWorkersAtOnce() throws Exception {
        Functions one = cloud.inProcess();
        Functions two = cloud.inProcess();
        Run run = cloud.start();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Functions twice = (name, payload) -> {
                if (!name.equals("copy") && !name.equals("compact")) {
                    return one.invoke(name, payload);
                }
                CyclicBarrier together = new CyclicBarrier(2);
                CompletableFuture<JsonNode> other =
                        CompletableFuture.supplyAsync(() -> invokedTogether(two, name, payload, together), pool);
                JsonNode answer = invokedTogether(one, name, payload, together);
                other.join();
                return answer;
            };
            Execution.Result end = cloud.execute(cloud.machines(twice), run).await();
            assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        }
        assertThat(cloud.registry().find(run.runId()).outcome().orElseThrow().digest())
                .as("the account counts commits, not answers")
                .contains(archive.records().toString());
        requireGroundTruth();
    }

    private static JsonNode invokedTogether(
            Functions functions, String name, JsonNode payload, CyclicBarrier together) {
        try {
            together.await();
            return functions.invoke(name, payload);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A worker is frozen in the middle of its upload, its lease passes, the sweeper fences its commit, another worker copies its task; then it goes on. */
    @Test
    void aWorkerThatThawsAfterItsLeaseCommitsNothing() throws Exception {
        Site site = cloud.site();
        Clock clock = Clock.systemUTC();
        FreezingClock freezing = new FreezingClock(clock, () -> hasBegun(site));
        Functions zombie = cloud.inProcess(cloud.wiring(freezing));
        Functions alive = cloud.inProcess();
        Run run = cloud.start();
        JsonNode task = firstTask(alive, run);
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<JsonNode> late = CompletableFuture.supplyAsync(() -> invoked(zombie, task), pool);
            freezing.awaitFrozen();
            String commit =
                    cloud.commits(site, CommitState.UPLOADING).getFirst().id();
            Clock later = Clock.offset(clock, Duration.ofHours(1));
            JsonNode _ = cloud.inProcess(cloud.wiring(later))
                    .invoke("sweep", JsonMapper.shared().createObjectNode());
            assertThat(site.ledger().find(commit).orElseThrow().state()).isEqualTo(CommitState.ABANDONED);
            assertThat(invoked(alive, task).at("/counters/objectsCopied").longValue())
                    .isPositive();
            freezing.thaw();
            assertThat(late.join().at("/counters/objectsCopied").longValue()).isZero();
            assertThat(site.ledger().find(commit).orElseThrow().state()).isEqualTo(CommitState.ABANDONED);
        }
        requireGroundTruth();
    }

    private boolean hasBegun(Site site) {
        try {
            return !cloud.commits(site, CommitState.UPLOADING).isEmpty();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode invoked(Functions functions, JsonNode task) {
        try {
            return functions.invoke("copy", task);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private JsonNode firstTask(Functions functions, Run run) throws Exception {
        JsonNode state = functions.invoke("plan", EventFiles.read("plan.json", "RUN_ID", run.runId()));
        return cloud.tasks(run, state).getFirst();
    }
}
