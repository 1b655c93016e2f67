package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.plan.Inventory;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Runs planned by an S3 Inventory, by the deployed definition. */
final class InventoryTest {
    private static final int OBJECTS = 900;

    private Cloud cloud;
    private String inventories;

    @BeforeEach
    void open() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
        inventories = cloud.server().newBucket();
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private Execution.Result run(Run run) throws Exception {
        return cloud.machines(cloud.inProcess())
                .start(
                        "copy",
                        run.runId(),
                        JsonMapper.shared()
                                .createObjectNode()
                                .put("runId", run.runId())
                                .put("inventory", "s3://" + inventories + "/" + Inventory.MANIFEST))
                .await();
    }

    @Test
    void whatItDoesNotKnowYetIsCopiedTooAndWhatItKnowsNoMoreIsNotMissed() throws Exception {
        Inventory inventory = new Inventory(cloud.devices());
        List<String> lines = new ArrayList<>();
        Archive archive = Archive.of(8, OBJECTS, 500).write((key, bytes) -> {
            cloud.put(key, bytes);
            // The inventory was made when each third object was not there.
            if (lines.size() % 3 != 2) {
                lines.add(inventory.line("raw/" + key, bytes.length));
            } else {
                lines.add(inventory.line("raw/deleted-since/" + key, bytes.length));
            }
        });
        inventory.file(lines.subList(0, OBJECTS / 2)).file(lines.subList(OBJECTS / 2, lines.size()));
        inventory.deliver((key, bytes) -> cloud.server().put(inventories, key, bytes));
        Run run = cloud.start();
        Execution.Result end = run(run);
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(archive.differences(cloud.sink(), Integer.MAX_VALUE)).isEmpty();
        assertThat(cloud.registry()
                        .find(run.runId())
                        .outcome()
                        .orElseThrow()
                        .totals()
                        .objectsCopied())
                .isEqualTo(archive.objects());
        assertThat(cloud.log()).anyMatch(line -> line.contains("source split") && line.contains("\"lists\":0"));
        cloud.requireNoGarbage();
    }

    @Test
    void oneOfAnotherBucketEndsTheRunWithWhatIsWrong() throws Exception {
        new Inventory("elsewhere").deliver((key, bytes) -> cloud.server().put(inventories, key, bytes));
        Run run = cloud.start();
        assertThat(run(run).status()).isEqualTo(Execution.Status.FAILED);
        Run ended = cloud.registry().find(run.runId());
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.lastError().orElseThrow())
                .contains("not of the source's bucket", "elsewhere", Inventory.MANIFEST);
    }
}
