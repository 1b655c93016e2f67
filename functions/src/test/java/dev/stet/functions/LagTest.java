package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.s3.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** How far the copy is behind, for cut-over. */
final class LagTest {
    /** Times of objects are told in seconds. */
    private static final Duration NEXT_SECOND = Duration.ofMillis(1_100);

    private Cloud cloud;

    @BeforeEach
    void open() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private void put(String key) {
        cloud.put(
                key,
                "{\"event_type\":\"e\",\"tenant_id\":\"t\",\"time\":\"2021-10-05T00:00:00Z\"}\n"
                        .getBytes(StandardCharsets.UTF_8));
    }

    private JsonNode lag(InProcess functions, String after) throws Exception {
        ObjectNode event = EventFiles.read("lag.json", "PIPELINE", Cloud.PIPELINE);
        return functions.invoke("lag", event.put("after", after));
    }

    private static Instant modified(JsonNode lag, String which) {
        return Instant.parse(lag.at("/uncopied/" + which + "/modified").stringValue());
    }

    @Test
    void theNewestAndTheOldestAreSoByTheirTimesNotByTheirKeys() throws Exception {
        put("z");
        Thread.sleep(NEXT_SECOND);
        put("a");
        JsonNode lag = lag(cloud.inProcess(), "");
        assertThat(lag.at("/uncopied/objects").longValue()).isEqualTo(2);
        assertThat(lag.at("/uncopied/newest/key").stringValue()).isEqualTo("a");
        assertThat(lag.at("/uncopied/oldest/key").stringValue()).isEqualTo("z");
        assertThat(modified(lag, "oldest")).isBefore(modified(lag, "newest"));
        assertThat(lag.at("/complete").booleanValue()).isTrue();
        JsonNode behind = lag(cloud.inProcess(), "a");
        assertThat(behind.at("/uncopied/objects").longValue()).isEqualTo(1);
    }

    @Test
    void whatIsCopiedWaitsToLandUntilItIsLanded() throws Exception {
        put("a");
        InProcess functions = cloud.inProcess();
        var run = cloud.start();
        JsonNode planned = functions.invoke("plan", EventFiles.read("plan.json", "RUN_ID", run.runId()));
        for (ObjectNode task : cloud.tasks(run, planned)) {
            JsonNode _ = functions.invoke("copy", task);
        }
        JsonNode lag = lag(functions, "");
        assertThat(lag.at("/uncopied/objects").longValue()).isZero();
        assertThat(lag.at("/uncopied/oldest").isMissingNode()).isTrue();
        assertThat(lag.at("/unlanded/commits").longValue()).isEqualTo(1);
        assertThat(lag.at("/unlanded/newest")).isEqualTo(lag.at("/unlanded/oldest"));

        JsonNode _ = cloud.execute(cloud.machines(functions), cloud.start())
                .await()
                .output()
                .orElseThrow();
        lag = lag(functions, "");
        assertThat(lag.at("/unlanded/commits").longValue()).isZero();
        assertThat(lag.at("/unlanded/oldest").isMissingNode()).isTrue();
    }

    @Test
    void whereTimeIsUpItSaysHowFarItLookedAndGoesOnFromThere() throws Exception {
        put("a");
        put("b");
        InProcess hurried = cloud.inProcess(cloud.wiring(new TickingClock(cloud.clock(), Duration.ofSeconds(1))))
                .limit(Duration.ofSeconds(3));
        JsonNode first = lag(hurried, "");
        assertThat(first.at("/complete").booleanValue()).isFalse();
        JsonNode rest = lag(cloud.inProcess(), first.at("/scannedTo").stringValue());
        assertThat(first.at("/uncopied/objects").longValue()
                        + rest.at("/uncopied/objects").longValue())
                .isEqualTo(2);
    }
}
