package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.FaultProxy;
import dev.stet.aws.MiniStack;
import dev.stet.aws.TableLedgers;
import dev.stet.aws.s3.StubS3.Op;
import dev.stet.config.Location;
import dev.stet.run.LedgerPlace;
import dev.stet.run.Stores;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What whole runs cost, in requests: at a billion objects each of these numbers is money. */
@Timeout(300)
class RequestCountsTest {
    private static final String BUCKET = "devices";

    private final StubS3 stub = new StubS3();
    private final S3Server server = new S3Server(stub.endpoint(), "test", "test");
    private final Lines lines = new Lines();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        stub.close();
    }

    private void lay(int objects) {
        for (int i = 0; i < objects; i++) {
            String key = "raw/%05d".formatted(i);
            stub.objects().put(key, lines.object(key, 3));
        }
    }

    private Location.S3 source() {
        return server.location(BUCKET, "raw/");
    }

    private Location.S3 sink() {
        return server.location(BUCKET, "landing/");
    }

    private Run run() {
        Run run = Run.copy(source(), sink(), folder.resolve("state"), () -> server.stores(StoreOptions.DEFAULT));
        assertThat(run.exit()).isZero();
        return run;
    }

    private List<String> landed() {
        Map<String, byte[]> found = new TreeMap<>();
        stub.objects().forEach((key, bytes) -> {
            if (key.startsWith("landing/")) {
                found.put(key.substring("landing/".length()), bytes);
            }
        });
        return Lines.of(found);
    }

    private List<String> gets(String prefix) {
        return stub.keys(Op.GET).stream().filter(k -> k.startsWith(prefix)).toList();
    }

    private long lists(String prefix) {
        return stub.calls(Op.LIST).stream()
                .filter(c -> c.query().getOrDefault("prefix", "").startsWith(prefix))
                .count();
    }

    @Test
    void a_first_copy_costs_a_get_an_object_and_a_list_a_thousand() {
        int n = 3_300;
        lay(n);
        run();
        assertThat(landed()).isEqualTo(lines.truth());
        assertThat(gets("raw/")).hasSize(n).doesNotHaveDuplicates();
        assertThat(lists("raw"))
                .as("preflight, listable at all, the scan, keys beside")
                .isLessThanOrEqualTo(n / 1_000 + 5);
        assertThat(stub.count(Op.LIST)).isLessThanOrEqualTo(n / 1_000 + 15);
        // Three samples of the preflight; what is landed is asked for once each, and staging a few times.
        assertThat(stub.keys(Op.HEAD).stream().filter(k -> k.startsWith("raw/")))
                .hasSizeLessThanOrEqualTo(3);
        int landedObjects = (int) stub.objects().keySet().stream()
                .filter(k -> k.startsWith("landing/"))
                .count();
        assertThat(stub.keys(Op.HEAD).stream().filter(k -> k.startsWith("landing/")))
                .hasSizeLessThanOrEqualTo(landedObjects + 1);
        // A bundle and a manifest for each thousand objects, a header, what is landed.
        assertThat(stub.count(Op.PUT)).isLessThanOrEqualTo(2 * (n / 1_000 + 1) + 1 + landedObjects);

        stub.forget();
        assertThat(run().counters().objectsCopied()).isZero();
        assertThat(stub.count(Op.GET)).as("a second run").isZero();
        assertThat(stub.count(Op.LIST)).isLessThanOrEqualTo(n / 1_000 + 15);
        assertThat(stub.count(Op.PUT)).isZero();
    }

    @Test
    void the_preflight_reads_no_object_and_leaves_no_probe() throws Exception {
        lay(20);
        List<String> before = List.copyOf(stub.objects().keySet());
        try (S3Stores stores = server.stores(StoreOptions.DEFAULT)) {
            stores.preflight(
                    new Stores.Remote(
                            Optional.of(source()),
                            Optional.of(sink()),
                            Optional.of(server.location(BUCKET, "_stet/p/"))),
                    note -> {
                        throw new AssertionError(note);
                    });
        }
        assertThat(stub.count(Op.GET)).isZero();
        assertThat(stub.count(Op.PUT)).isZero();
        assertThat(stub.objects().keySet()).containsExactlyElementsOf(before);
        assertThat(stub.uploads()).isZero();
    }

    @Test
    void compaction_reads_a_range_for_each_run_and_task_not_for_each_slice() {
        int tenants = 300;
        int objects = 2_100;
        for (int i = 0; i < objects; i++) {
            StringBuilder text = new StringBuilder();
            for (int t = 0; t < 3; t++) {
                text.append("{\"event_type\":\"e\",\"tenant_id\":\"t%d\",\"time\":\"2021-10-05\",\"i\":%d}"
                        .formatted((3 * i + t) % tenants, i));
            }
            stub.objects().put("raw/%05d".formatted(i), text.toString().getBytes(UTF_8));
        }
        Run run = run();
        assertThat(run.counters().recordsCopied()).isEqualTo(3L * objects);
        long bundles =
                stub.keys(Op.PUT).stream().filter(k -> k.contains("/bundles/")).count();
        // One run each, since all of a task fits memory; each takes all tenants.
        long slices = bundles * tenants;
        long tasks = Math.ceilDiv(run.counters().landedObjects(), 256);
        assertThat(bundles).isEqualTo(3);
        assertThat(run.counters().landedObjects()).isEqualTo(tenants);
        // The plan is walked twice: footer and index of each run. Then one range for each run and task.
        long allowed = bundles * (2 * 2 + tasks);
        assertThat(gets("_stet/").stream().filter(k -> k.contains("/bundles/")))
                .hasSizeLessThanOrEqualTo(Math.toIntExact(allowed));
        assertThat(slices).isGreaterThan(40 * allowed);
    }

    @Test
    void the_ledger_is_written_by_page_not_by_object() throws Exception {
        long few = ledgerWrites(1_000);
        long many = ledgerWrites(4_000);
        // A page more costs a split, the row of its commit begun, committed, retired and swept.
        assertThat(many - few).isBetween(3L, 3 * 5L);
        assertThat(few).isLessThan(20);
    }

    private long ledgerWrites(int objects) throws Exception {
        lay(objects);
        URI services = MiniStack.shared().endpoint();
        try (FaultProxy proxy = new FaultProxy(services);
                TableLedgers ledgers = new TableLedgers(proxy.endpoint())) {
            String table = "counts-" + UUID.randomUUID();
            ledgers.create(table);
            proxy.forget();
            stub.objects().keySet().removeIf(k -> !k.startsWith("raw/"));
            Run run = Run.of(
                    Run.pipeline(source(), sink(), Run.ROUTING, Optional.empty()),
                    Run.options(new LedgerPlace.Table(table), Optional.empty()),
                    () -> server.stores(StoreOptions.DEFAULT),
                    ledgers);
            assertThat(run.counters().objectsCopied()).isEqualTo(objects);
            long writes = proxy.count(hop -> hop.is("TransactWriteItems"));
            proxy.forget();
            Run again = Run.of(
                    Run.pipeline(source(), sink(), Run.ROUTING, Optional.empty()),
                    Run.options(new LedgerPlace.Table(table), Optional.empty()),
                    () -> server.stores(StoreOptions.DEFAULT),
                    ledgers);
            assertThat(again.counters().objectsCopied()).isZero();
            assertThat(proxy.count(hop -> hop.is("TransactWriteItems")))
                    .as("a second run")
                    .isZero();
            return writes;
        }
    }
}
