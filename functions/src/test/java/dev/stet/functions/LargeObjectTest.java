package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.Functions;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.ledger.CommitState;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Objects that no worker has the time to copy at once, by the deployed definition; a worker's time is short and goes by as it looks at its clock. */
final class LargeObjectTest {
    private static final Duration WORKER = Duration.ofSeconds(8);
    private static final Duration INFLATING_WORKER = Duration.ofSeconds(90);
    private static final Duration TICK = Duration.ofMillis(150);
    private static final int SMALL = 6;
    private static final int LARGE = 10 << 20;
    private static final int LONGER_THAN_PATIENCE = 24 << 20;
    private static final byte GZIP = 0x1f;

    private Cloud cloud;
    private Archive archive = Archive.of(0, 0, 0);
    private final AtomicInteger copies = new AtomicInteger();
    private final List<JsonNode> answers = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
        archive = Archive.plain(5, SMALL, 2_000).write(cloud::put);
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    /** Puts an object of some megabytes with a bit of everything in it, beside the small ones. */
    private void putLarge(boolean gzip) throws IOException {
        Archive large = Archive.of(9, SMALL + 1, LARGE).only(SMALL).write((key, stored) -> {
            byte[] content =
                    stored[0] == GZIP ? new GZIPInputStream(new ByteArrayInputStream(stored)).readAllBytes() : stored;
            assertThat(content.length).isGreaterThan(LARGE / 2);
            cloud.put(key, gzip ? compressed(content) : content);
        });
        archive.add(large);
    }

    private static byte[] compressed(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    /** Each worker is a process of its own with that much time. */
    private Functions shortLived(Duration time) {
        InProcess others = cloud.inProcess();
        return (name, payload) -> {
            if (!name.equals("copy")) {
                return others.invoke(name, payload);
            }
            copies.incrementAndGet();
            JsonNode answer = cloud.inProcess(cloud.wiring(new TickingClock(cloud.clock(), TICK)))
                    .limit(time)
                    .invoke(name, payload);
            synchronized (answers) {
                answers.add(answer);
            }
            return answer;
        };
    }

    private Execution.Result run(Functions functions, Run run) throws Exception {
        return cloud.execute(cloud.machines(functions), run).await();
    }

    private void requireGroundTruth() throws Exception {
        assertThat(archive.differences(cloud.sink(), Integer.MAX_VALUE)).isEmpty();
        cloud.requireNoGarbage();
        assertThat(cloud.commits(cloud.site(), CommitState.PARTIAL)).isEmpty();
    }

    private void requireExact(Run run) throws Exception {
        Run ended = cloud.registry().find(run.runId());
        assertThat(ended.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(ended.lastError()).isEmpty();
        assertThat(ended.outcome().orElseThrow().digest())
                .contains(archive.records().toString());
        assertThat(ended.outcome().orElseThrow().totals().objectsCopied()).isEqualTo(archive.objects());
    }

    @Test
    void isCopiedByOneWorkerAfterAnotherRoundByRound() throws Exception {
        putLarge(false);
        Run run = cloud.start();
        Execution.Result end = run(shortLived(WORKER), run);
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(copies.get())
                .as("more rounds than may pass without progress")
                .isGreaterThan(4);
        requireGroundTruth();
        requireExact(run);
    }

    /** What is compressed must be inflated again up to where a part begins, which takes a worker's time too: here a look at the clock for each few KB. */
    @Test
    void whatIsCompressedIsInflatedAgainByTheNextWorker() throws Exception {
        putLarge(true);
        Run run = cloud.start();
        Execution.Result end = run(shortLived(INFLATING_WORKER), run);
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(copies.get()).isGreaterThan(1);
        requireGroundTruth();
        requireExact(run);
    }

    @Test
    void theNextRunGoesOnWhereAStoppedOneEndedAndCountsTheWholeObject() throws Exception {
        putLarge(false);
        Run first = cloud.start();
        Functions workers = shortLived(WORKER);
        Functions stopping = (name, payload) -> {
            JsonNode answer = workers.invoke(name, payload);
            if (name.equals("copy") && copies.get() == 2) {
                Run _ = stopped(first);
            }
            return answer;
        };
        assertThat(run(stopping, first).status()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(cloud.registry().find(first.runId()).status()).isEqualTo(RunStatus.STOPPED);
        int parts = cloud.commits(cloud.site(), CommitState.PARTIAL).size();
        assertThat(parts).isPositive();

        Run second = cloud.start();
        assertThat(run(workers, second).status()).isEqualTo(Execution.Status.SUCCEEDED);
        requireGroundTruth();
        Run.Outcome before = cloud.registry().find(first.runId()).outcome().orElseThrow();
        Run.Outcome after = cloud.registry().find(second.runId()).outcome().orElseThrow();
        assertThat(before.totals().objectsCopied() + after.totals().objectsCopied())
                .isEqualTo(archive.objects());
        assertThat(before.totals().recordsCopied() + after.totals().recordsCopied())
                .as("the parts of the first run count in the second, which made them count")
                .isEqualTo(archive.records().count());
    }

    private Run stopped(Run run) {
        try {
            return cloud.registry().stop(run.runId());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void oneInWhichNoPartCanEndInTimeIsReportedAndTheRestIsCopied() throws Exception {
        String record = "{\"event_type\":\"e\",\"pad\":\"" + "x".repeat(LONGER_THAN_PATIENCE) + "\"}\n";
        cloud.put("2021/10/05/one-record", record.getBytes(StandardCharsets.UTF_8));
        Run run = cloud.start();
        Execution.Result end = run(shortLived(Duration.ofSeconds(20)), run);
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        requireGroundTruth();
        Run ended = cloud.registry().find(run.runId());
        assertThat(ended.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(ended.lastError().orElseThrow()).contains("one-record", "too_large_for_worker", "one machine");
        assertThat(ended.outcome().orElseThrow().totals().objectsUnreadable()).isEqualTo(1);
    }
}
