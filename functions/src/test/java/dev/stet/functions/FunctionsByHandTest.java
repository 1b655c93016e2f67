package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.Functions;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every function invoked by hand with its sample event, as docs/functions.md says. */
final class FunctionsByHandTest {
    private Archive archive = Archive.of(0, 0, 0);
    private Cloud cloud;

    @BeforeEach
    void makeArchive() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private JsonNode lag() throws Exception {
        return cloud.inProcess().invoke("lag", EventFiles.read("lag.json", "PIPELINE", Cloud.PIPELINE));
    }

    @Test
    void aWholeRun() throws Exception {
        archive = Archive.of(12, 60, 2_000).write(cloud::put);
        InProcess functions = cloud.inProcess();
        Run run = cloud.start();
        assertThat(lag().at("/uncopied/objects").longValue()).isGreaterThanOrEqualTo(archive.objects());

        JsonNode planned = functions.invoke("plan", EventFiles.read("plan.json", "RUN_ID", run.runId()));
        for (ObjectNode task : cloud.tasks(run, planned)) {
            assertThat(functions.invoke("copy", task).get("left").isEmpty()).isTrue();
        }
        assertThat(lag().at("/uncopied/objects").longValue()).isZero();
        assertThat(lag().at("/unlanded/bytes").longValue()).isPositive();

        // No map wrote results, so all tasks come again; there is nothing left to copy in them.
        ObjectNode next = (ObjectNode) functions.invoke("next-round", planned);
        assertThat(next.at("/round/tasks")).isEqualTo(planned.at("/round/tasks"));
        for (ObjectNode task : cloud.tasks(run, next)) {
            assertThat(functions.invoke("copy", task).at("/counters/commits").longValue())
                    .isZero();
        }

        JsonNode compaction =
                functions.invoke("plan-compaction", EventFiles.read("plan-compaction-run.json", "RUN_ID", run.runId()));
        for (ObjectNode task : cloud.tasks(run, compaction)) {
            task.remove("runId");
            task.set("compaction", compaction.get("compaction"));
            assertThat(functions.invoke("compact", task).get("landedObjects").longValue())
                    .isPositive();
        }
        JsonNode landed = functions.invoke("finish-compaction", compaction);
        assertThat(landed.at("/round/done").booleanValue()).isTrue();

        JsonNode ended = functions.invoke("finish-run", next);
        assertThat(ended.get("status").stringValue()).isEqualTo("SUCCEEDED");
        assertThat(cloud.registry().find(run.runId()).status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(cloud.registry()
                        .find(run.runId())
                        .outcome()
                        .orElseThrow()
                        .totals()
                        .objectsCopied())
                .as("by the ledger: no map told what its workers counted")
                .isGreaterThanOrEqualTo(archive.objects());
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
        assertThat(lag().at("/unlanded/commits").longValue()).isZero();
        assertThat(functions
                        .invoke("sweep", EventFiles.read("schedule.json"))
                        .at("/swept/0")
                        .stringValue())
                .isEqualTo(Cloud.PIPELINE);
        cloud.requireNoGarbage();
    }

    /** The function was killed between report and registry, and then the run was stopped. */
    @Test
    void whatAReportSaysIsWhatTheRegistrySaysHoweverOftenARunIsFinished() throws Exception {
        archive = Archive.of(12, 20, 2_000).write(cloud::put);
        Run run = cloud.start();
        InProcess functions = cloud.inProcess();
        RequestLog.during((function, request) -> {
            if (function.equals("finish-run") && request instanceof TransactWriteItemsRequest) {
                throw SdkClientException.create("killed before the registry heard of it");
            }
        });
        Functions killed = RequestLog.recorded(functions);
        assertThat(cloud.execute(cloud.machines(killed), run).await().status()).isEqualTo(Execution.Status.FAILED);
        RequestLog.during((function, request) -> {});
        assertThat(cloud.registry().find(run.runId()).status()).isEqualTo(RunStatus.RUNNING);
        Run _ = cloud.registry().stop(run.runId());
        ObjectNode aborted = EventFiles.read("finish-run-execution-status.json", "RUN_ID", run.runId());
        assertThat(functions.invoke("finish-run", aborted).get("status").stringValue())
                .isEqualTo("SUCCEEDED");
        Run ended = cloud.registry().find(run.runId());
        assertThat(ended.lastError()).isEmpty();
        assertThat(ended.outcome().orElseThrow().totals().objectsCopied()).isEqualTo(archive.objects());
    }

    @Test
    void aWeekAfterTheEndOfARunItsFilesGo() throws Exception {
        archive = Archive.of(12, 5, 2_000).write(cloud::put);
        Run run = cloud.start();
        JsonNode _ = cloud.execute(cloud.machines(cloud.inProcess()), run)
                .await()
                .output()
                .orElseThrow();
        Clock later = Clock.offset(cloud.clock(), Duration.ofDays(8));
        JsonNode _ = cloud.inProcess(cloud.wiring(later)).invoke("sweep", EventFiles.read("schedule.json"));
        assertThat(cloud.staged())
                .allMatch(k -> k.startsWith("reports/") || k.startsWith("manifests/") || k.startsWith("headers/"));
    }

    @Test
    void notificationsAsS3AndEventBridgeSendThem() throws Exception {
        Archive first = Archive.of(1, 2, 500);
        byte[][] contents = new byte[2][];
        int[] n = {0};
        Archive _ = first.write((_, bytes) -> contents[n[0]++] = bytes);
        cloud.put("2021/10/05/a b+cé.json", contents[0]);
        cloud.put("2021/10/05/two.json", contents[1]);
        InProcess functions = cloud.inProcess();
        for (String file : List.of("s3-event-notification.json", "s3-event-eventbridge.json", "s3-event-test.json")) {
            JsonNode answer = functions.invoke("s3-event", EventFiles.read(file, "BUCKET", cloud.devices()));
            assertThat(EventMessages.again(answer)).as(file).isEmpty();
            assertThat(lag().at("/uncopied/objects").longValue()).isZero();
        }
        JsonNode due = functions.invoke(
                "plan-compaction", EventFiles.read("plan-compaction-schedule.json", "PIPELINE", Cloud.PIPELINE));
        assertThat(due.at("/round/done").booleanValue())
                .as("nothing is due yet")
                .isTrue();
    }

    /** What no test reads or no page names is of no use to anybody. */
    @Test
    void everySampleIsUsedAndDocumented() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "functions.md"));
        String tests = sources();
        try (Stream<Path> files = Files.list(Path.of("..", "events"))) {
            for (Path file : files.toList()) {
                assertThat(page).contains("events/" + file.getFileName());
                assertThat(tests).contains("\"" + file.getFileName() + "\"");
            }
        }
    }

    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
