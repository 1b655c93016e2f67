package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.s3.Servers;
import dev.stet.ledger.ManualClock;
import dev.stet.store.ObjectWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What killed functions leave behind. */
final class SweepTest {
    private static final List<String> FILES = List.of(
            "runs/r/round-0001-x-tasks.jsonl",
            "runs/r/left-x-items.jsonl",
            "reports/r.json",
            "plans/plan-000001-x-plan.jsonl",
            "headers/0123");

    private Cloud cloud;

    @BeforeEach
    void open() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private void sweepAfter(Duration time) throws Exception {
        JsonNode answer = cloud.inProcess(cloud.wiring(Clock.offset(cloud.clock(), time)))
                .invoke("sweep", JsonMapper.shared().createObjectNode());
        assertThat(answer.get("failed")).isEmpty();
    }

    private List<String> unfinished() {
        return cloud.server().owner().listMultipartUploads(r -> r.bucket(cloud.lake())).uploads().stream()
                .map(MultipartUpload::key)
                .toList();
    }

    @Test
    void uploadsOfFunctionsThatWereKilledGoAfterADayAndThoseTheLedgerTellsOfStay() throws Exception {
        Site site = cloud.site();
        List<String> ofTheLedger = List.of("bundles/c", "manifests/c.jsonl.gz");
        for (String key : FILES) {
            ObjectWriter _ = site.staging().create(key);
        }
        for (String key : ofTheLedger) {
            ObjectWriter _ = site.staging().create(key);
        }
        assertThat(unfinished()).hasSize(FILES.size() + ofTheLedger.size());
        sweepAfter(Duration.ofHours(23));
        assertThat(unfinished()).hasSize(FILES.size() + ofTheLedger.size());
        sweepAfter(Duration.ofHours(25));
        assertThat(unfinished())
                .containsExactlyInAnyOrderElementsOf(
                        ofTheLedger.stream().map(site::stagedKey).toList());
    }

    /** A pipeline with a backlog does not keep the others waiting. */
    @Test
    void whoSharesTheTimeLeftHasItsPartOfIt() {
        ManualClock clock = new ManualClock();
        Duration worker = Duration.ofMinutes(9).plus(cloud.settings().margin());
        Call call = new Call("sweep", new FakeContext("sweep", "r", worker), cloud.wiring(clock));
        BooleanSupplier first = call.shareIsUp(3);
        clock.advance(Duration.ofMinutes(3).toMillis() - 1);
        assertThat(first.getAsBoolean()).isFalse();
        clock.advance(1);
        assertThat(first.getAsBoolean()).isTrue();
        BooleanSupplier second = call.shareIsUp(2);
        assertThat(second.getAsBoolean()).isFalse();
        clock.advance(Duration.ofMinutes(3).toMillis());
        assertThat(second.getAsBoolean()).isTrue();
        assertThat(call.timeIsUp().getAsBoolean()).isFalse();
    }
}
