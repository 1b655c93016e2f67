package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.Functions;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lines in CloudWatch's embedded metric format: what alarms and the dashboard look at. */
final class MetricsTest {
    /** Every name, held against the stack's alarms by its own tests. */
    private static final Path NAMES = Path.of("src", "test", "resources", "metrics.txt");

    private static final Duration WAITED = Duration.ofHours(30);

    private Cloud cloud;
    private final EventMessages messages = new EventMessages();

    @BeforeEach
    void open() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private List<JsonNode> emitted() {
        return cloud.log().stream()
                .map(line -> JsonMapper.shared().readTree(line))
                .filter(line -> line.has("_aws"))
                .toList();
    }

    private static Set<String> names(JsonNode line) {
        Set<String> names = new TreeSet<>();
        line.at("/_aws/CloudWatchMetrics/0/Metrics")
                .values()
                .forEach(m -> names.add(m.get("Name").stringValue()));
        return names;
    }

    private long sum(String function, String metric) {
        return emitted().stream()
                .filter(line -> line.get("function").stringValue().equals(function)
                        && names(line).contains(metric))
                .mapToLong(line -> line.get(metric).longValue())
                .sum();
    }

    private void schedule() throws Exception {
        new CompactionScheduleHandler(cloud.wiring(Clock.offset(cloud.clock(), WAITED)), _ -> (machine, input) -> {})
                .handleRequest(
                        new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8)),
                        new ByteArrayOutputStream(),
                        new FakeContext("compaction-schedule", "1", Duration.ofMinutes(15)));
    }

    private void everything() throws Exception {
        Archive archive = Archive.of(5, 40, 2_000).write(cloud::put);
        Execution.Result end =
                cloud.execute(cloud.machines(cloud.inProcess()), cloud.start()).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(sum("copy", "objects_copied")).isEqualTo(archive.objects());
        assertThat(sum("copy", "records_copied")).isEqualTo(archive.records().count());
        Archive _ = Archive.of(6, 3, 2_000).write((key, bytes) -> {
            cloud.put("more/" + key, bytes);
            messages.tell(cloud.devices(), "raw/more/" + key, "ObjectCreated:Put");
        });
        InProcess functions = cloud.inProcess();
        ObjectNode batch = messages.batch();
        long sent = cloud.clock().instant().minus(WAITED).toEpochMilli();
        batch.get("Records")
                .values()
                .forEach(m -> ((ObjectNode) m).putObject("attributes").put("SentTimestamp", Long.toString(sent)));
        JsonNode _ = functions.invoke("s3-event", batch);
        JsonNode _ = functions.invoke("lag", EventFiles.read("lag.json", "PIPELINE", Cloud.PIPELINE));
        schedule();
    }

    @Test
    void eachIsTheNumberItSaysAndTheNamesAreThoseOfTheList() throws Exception {
        everything();
        assertThat(sum("s3-event", "lag_seconds")).isBetween(WAITED.toSeconds(), WAITED.toSeconds() + 600);
        assertThat(sum("compaction-schedule", "oldest_commit_seconds"))
                .isBetween(WAITED.toSeconds(), WAITED.toSeconds() + 600);
        assertThat(sum("compaction-schedule", "bytes_buffered")).isPositive().isEqualTo(sum("lag", "bytes_unlanded"));
        assertThat(sum("compact", "objects_landed")).isPositive();
        Set<String> names = new TreeSet<>();
        emitted().forEach(line -> names.addAll(names(line)));
        assertThat(names).containsExactlyElementsOf(Files.readAllLines(NAMES));
    }

    @Test
    void whatFailedHasNoLag() throws Exception {
        Archive _ = Archive.of(6, 3, 2_000).write((key, bytes) -> {
            cloud.put("more/" + key, bytes);
            messages.tell(cloud.devices(), "raw/more/" + key, "ObjectCreated:Put");
        });
        RequestLog.during((function, request) -> {
            if (request instanceof CreateMultipartUploadRequest) {
                throw SdkClientException.create("lost on purpose");
            }
        });
        try {
            Functions functions = cloud.inProcess();
            JsonNode answer = RequestLog.as("s3-event", () -> functions.invoke("s3-event", messages.batch()));
            assertThat(EventMessages.again(answer)).hasSize(3);
        } finally {
            RequestLog.during((function, request) -> {});
        }
        assertThat(emitted()).noneMatch(line -> names(line).contains("lag_seconds"));
    }

    /** With the empty set CloudWatch keeps each metric over all pipelines too, without dimensions, which is what alarms name. */
    @Test
    void eachLineIsForPipelineAndFunctionAndForAllOfThem() throws Exception {
        everything();
        assertThat(emitted()).hasSizeGreaterThan(4).allSatisfy(line -> {
            JsonNode directive = line.at("/_aws/CloudWatchMetrics/0");
            assertThat(directive.get("Namespace").stringValue()).isEqualTo("Stet");
            assertThat(directive.get("Dimensions").toString()).isEqualTo("[[\"pipeline\",\"function\"],[]]");
            assertThat(line.get("pipeline").stringValue()).isEqualTo(Cloud.PIPELINE);
            assertThat(line.at("/_aws/Timestamp").longValue()).isPositive();
            names(line)
                    .forEach(name -> assertThat(line.get(name).isIntegralNumber())
                            .as(name)
                            .isTrue());
        });
    }
}
