package dev.stet.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.aws.dynamodb.DynamoDb;
import dev.stet.aws.dynamodb.DynamoDbLedger;
import dev.stet.aws.dynamodb.DynamoDbLedgers;
import dev.stet.aws.s3.S3Server;
import dev.stet.aws.s3.S3Stores;
import dev.stet.aws.s3.StoreOptions;
import dev.stet.config.Format;
import dev.stet.config.PipelineConfig;
import dev.stet.config.SinkCompression;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.LedgerException;
import dev.stet.route.RoutingSettings;
import dev.stet.route.TimeUnit;
import dev.stet.run.LedgerMove;
import dev.stet.run.LedgerPlace;
import dev.stet.run.LocalEngine;
import dev.stet.run.RunCounters;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Whole runs from S3 to S3 whose ledger is a DynamoDB table: machines and processes come and go, and nothing is copied twice. */
class SharedLedgerRunTest {
    private static final int OBJECTS = 40;

    @TempDir
    private Path folder;

    private final S3Server server = new S3Server(MiniStack.shared().endpoint(), "test", "test");
    private final AwsAccess access = new AwsAccess(
            new FreshCredentials(() -> software.amazon.awssdk.auth.credentials.StaticCredentialsProvider.create(
                    software.amazon.awssdk.auth.credentials.AwsBasicCredentials.create("test", "test"))));
    private final String table = "runs-" + UUID.randomUUID();
    private final DynamoDbLedgers ledgers = new DynamoDbLedgers(
            () -> access,
            Optional.of("us-east-1"),
            Optional.of(MiniStack.shared().endpoint().toString()));

    private String devices = "";
    private String lake = "";

    @BeforeEach
    void fill() throws Exception {
        devices = server.newBucket();
        lake = server.newBucket();
        for (int i = 0; i < OBJECTS; i++) {
            put(i);
        }
        ledgers.create(table);
    }

    @AfterEach
    void close() {
        ledgers.close();
    }

    private void put(int i) {
        server.put(
                devices,
                "raw/%03d".formatted(i),
                "{\"t\":\"t%d\",\"i\":%d}".formatted(i % 3, i).getBytes(StandardCharsets.UTF_8));
    }

    private RunCounters run(LedgerPlace ledger, String state) throws Exception {
        RoutingSettings routing = new RoutingSettings(
                List.of(),
                "n",
                List.of(new RoutingSettings.PartitionLevel(List.of("t"), Optional.empty())),
                "p_",
                List.of(),
                TimeUnit.DAY,
                "",
                true,
                Map.of(),
                RoutingSettings.OnMissing.QUARANTINE);
        PipelineConfig pipeline = new PipelineConfig(
                Optional.empty(),
                Optional.empty(),
                server.location(devices, "raw/"),
                Format.JSON,
                List.of(),
                List.of(),
                Optional.empty(),
                routing,
                server.location(lake, "landing/"),
                SinkCompression.NONE,
                PipelineConfig.LandingPolicy.DEFAULT);
        RunOptions options = new RunOptions(
                ledger,
                Optional.of(folder.resolve(state)),
                Optional.empty(),
                Optional.empty(),
                2,
                Optional.of(8L << 20),
                true,
                false,
                false);
        try (S3Stores stores = server.stores(StoreOptions.DEFAULT)) {
            return new LocalEngine(stores, ledgers)
                    .run(pipeline, options, new NoListener())
                    .counters();
        }
    }

    private RunCounters run() throws Exception {
        return run(new LedgerPlace.Table(table), "none");
    }

    private List<String> landed() {
        List<String> lines = new ArrayList<>();
        for (S3Object o : objects("landing/")) {
            server.owner()
                    .getObjectAsBytes(r -> r.bucket(lake).key(o.key()))
                    .asUtf8String()
                    .lines()
                    .forEach(lines::add);
        }
        lines.sort(null);
        return lines;
    }

    private List<S3Object> objects(String prefix) {
        return server.owner().listObjectsV2(r -> r.bucket(lake).prefix(prefix)).contents();
    }

    private List<String> bundles() {
        return objects("_stet/").stream()
                .map(S3Object::key)
                .filter(k -> k.contains("/bundles/"))
                .toList();
    }

    private List<String> uploads() {
        return server.owner().listMultipartUploads(r -> r.bucket(lake)).uploads().stream()
                .map(MultipartUpload::key)
                .toList();
    }

    private static List<String> truth(int objects) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            lines.add("{\"t\":\"t%d\",\"i\":%d}".formatted(i % 3, i));
        }
        lines.sort(null);
        return lines;
    }

    private DynamoDbLedger ledger() throws Exception {
        String id = ledgers.pipelines(table).keySet().iterator().next();
        return new DynamoDb(
                        access,
                        Optional.of("us-east-1"),
                        Optional.of(MiniStack.shared().endpoint().toString()))
                .ledger(table, id, server.location(devices, "raw/").describe(), Clock.systemUTC());
    }

    @Test
    void another_machine_goes_on_and_nothing_is_kept_on_this_one() throws Exception {
        assertThat(run().recordsCopied()).isEqualTo(OBJECTS);
        assertThat(folder).isEmptyDirectory();
        assertThat(run().recordsCopied()).isZero();
        put(OBJECTS);
        assertThat(run().recordsCopied()).isEqualTo(1);
        assertThat(landed()).isEqualTo(truth(OBJECTS + 1));
        assertThat(bundles()).isEmpty();
        assertThat(uploads()).isEmpty();
    }

    @Test
    void four_processes_at_once_copy_each_object_once() throws Exception {
        try (ExecutorService processes = Executors.newFixedThreadPool(4)) {
            List<Callable<RunCounters>> runs = List.of(this::run, this::run, this::run, this::run);
            long copied = 0;
            for (Future<RunCounters> f : processes.invokeAll(runs)) {
                copied += f.get().recordsCopied();
            }
            assertThat(copied).isEqualTo(OBJECTS);
        }
        assertThat(run().recordsCopied()).isZero();
        assertThat(landed()).isEqualTo(truth(OBJECTS));
        assertThat(bundles()).isEmpty();
    }

    @Test
    void a_dead_workers_upload_goes_with_its_lease_and_neither_a_living_nor_a_foreign_one() throws Exception {
        run();
        String staging = "_stet/" + ledgers.pipelines(table).keySet().iterator().next() + "/";
        long now = System.currentTimeMillis();
        for (String id : List.of("dead", "alive")) {
            ledger().begin(Commit.uploading(id, "bundles/" + id, now + (id.equals("dead") ? -1 : 60_000), now));
            var upload =
                    server.owner().createMultipartUpload(r -> r.bucket(lake).key(staging + "bundles/" + id));
            assertThat(server.owner()
                            .uploadPart(
                                    r -> r.bucket(lake)
                                            .key(upload.key())
                                            .uploadId(upload.uploadId())
                                            .partNumber(1),
                                    RequestBody.fromString("x"))
                            .eTag())
                    .isNotEmpty();
        }
        assertThat(server.owner()
                        .createMultipartUpload(r -> r.bucket(lake).key("landing/foreign"))
                        .uploadId())
                .isNotEmpty();
        put(OBJECTS);
        assertThat(run().recordsCopied()).isEqualTo(1);
        assertThat(uploads()).containsExactlyInAnyOrder(staging + "bundles/alive", "landing/foreign");
        assertThat(ledger().find("dead").orElseThrow().state()).isEqualTo(CommitState.ABANDONED);
        assertThat(ledger().find("alive").orElseThrow().state()).isEqualTo(CommitState.UPLOADING);
    }

    @Test
    void who_outgrows_a_machine_moves_the_ledger_and_copies_nothing_again() throws Exception {
        assertThat(run(LedgerPlace.EMBEDDED, "state").recordsCopied()).isEqualTo(OBJECTS);
        put(OBJECTS);
        LedgerMove move = new LedgerMove(ledgers, Map.of(), Clock.systemUTC());
        assertThat(move.move("state", "dynamodb:" + table, Optional.empty(), folder)
                        .carried()
                        .objects())
                .isEqualTo(OBJECTS);
        assertThat(run().recordsCopied()).isEqualTo(1);
        assertThat(landed()).isEqualTo(truth(OBJECTS + 1));
    }

    @Test
    void a_table_that_is_not_there_is_named_with_the_command_that_makes_it() {
        assertThatThrownBy(() -> run(new LedgerPlace.Table("no-such-table"), "none"))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("stet ledger create no-such-table");
    }

    private static final class NoListener implements RunListener {
        @Override
        public void phase(String name) {}

        @Override
        public void unreadable(String source, String reason, String message) {
            throw new AssertionError(source + ": " + message);
        }

        @Override
        public void replaced(String source) {}

        @Override
        public void note(String text) {}
    }
}
