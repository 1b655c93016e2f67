package dev.stet.aws.s3;

import static dev.stet.aws.FaultProxy.error;
import static dev.stet.aws.FaultProxy.slowDown;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.FaultProxy;
import dev.stet.aws.FaultProxy.Answer;
import dev.stet.aws.FaultProxy.Hop;
import dev.stet.aws.FreshCredentials;
import dev.stet.config.Location;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cases 50 to 61 of the rule book as whole runs: a bucket as the case describes it, its faults put in on the way to the server, and the outcome that the case
 * demands. Records in the sink are compared with those in the source each time: none lost, none twice, no other byte.
 */
@Timeout(300)
class ScenariosTest {
    private static boolean isGet(Hop hop) {
        return hop.is("GET");
    }

    private final S3Server server = Servers.miniStack();
    private final FaultProxy proxy = new FaultProxy(Servers.miniStackEndpoint());
    private final String devices = server.newBucket();
    private final String lake = server.newBucket();
    private final Lines lines = new Lines();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        proxy.close();
    }

    private static JsonNode read(String resource) throws IOException {
        try (InputStream in = ScenariosTest.class.getResourceAsStream("/cases/" + resource)) {
            return JsonMapper.shared().readTree(in);
        }
    }

    /** Puts the objects of a case, but those that it says are never seen. */
    private void lay(String id) throws IOException {
        for (JsonNode o : read("inputs/" + id + "/scenario.json").get("objects")) {
            put(o.get("key").asString(), o.get("records").asInt());
        }
    }

    private void put(String key, int records) {
        server.put(devices, key, lines.object(key, records));
    }

    /** The objects that the runs are to leave out lie in the bucket, and nothing of them may land. */
    private void putUntold(String key, int records) {
        server.put(devices, key, lines.untold(key, records));
    }

    private Location.S3 source(boolean requesterPays) {
        Location.S3 s = S3Server.location(proxy.endpoint(), devices, "");
        return new Location.S3(s.bucket(), s.prefix(), s.region(), s.endpointUrl(), requesterPays);
    }

    private Run run() {
        return run(source(false), StoreOptions.DEFAULT);
    }

    private Run run(Location.S3 source, StoreOptions options) {
        return Run.copy(source, sink(), folder.resolve("state"), () -> server.stores(options));
    }

    private Location.S3 sink() {
        return S3Server.location(proxy.endpoint(), lake, "landing");
    }

    /** What the case says of the records: so many, each of the source once. Nothing unfinished is left. */
    private void assertLanded(String id) throws IOException {
        List<String> landed = Lines.of(server.objects(lake, "landing/"));
        assertThat(landed).isEqualTo(lines.truth());
        assertThat(landed)
                .hasSize(read("expected/" + id + ".json")
                        .get("expect")
                        .get("copied_total")
                        .asInt());
        assertTidy();
    }

    private void assertTidy() {
        assertThat(server.objects(lake, "_stet/").keySet()).noneMatch(k -> k.contains("/bundles/"));
        assertThat(server.openUploads(lake)).isEmpty();
    }

    /** {@code KEY reason} of each object that the case says cannot be read. */
    private static String[] unread(String id) throws IOException {
        return read("expected/" + id + ".json")
                .get("expect")
                .get("unread")
                .valueStream()
                .map(u -> u.get("key").asString() + " " + u.get("reason").asString())
                .toArray(String[]::new);
    }

    private static Predicate<Hop> get(String key) {
        return hop -> hop.is("GET") && hop.key().equals(key);
    }

    /** The first requests of a kind meet the fault, all others pass. */
    private static FaultProxy.Fault first(int n, Predicate<Hop> kind, FaultProxy.Fault fault) {
        AtomicInteger met = new AtomicInteger();
        return hop -> {
            if (kind.test(hop) && met.incrementAndGet() <= n) {
                fault.meets(hop);
            } else {
                hop.pass();
            }
        };
    }

    @Test
    void objects_of_the_same_second_are_told_apart_after_a_kill() throws Exception {
        // Every listing shows one time of change, whatever the server says.
        FaultProxy.Fault sameSecond = hop -> {
            Answer a = hop.fetch();
            if (hop.is("LIST")) {
                String xml = new String(a.body(), UTF_8)
                        .replaceAll(
                                "<LastModified>[^<]*</LastModified>",
                                "<LastModified>2024-01-01T00:00:00.000Z</LastModified>");
                hop.relay(new Answer(a.status(), a.headers(), xml.getBytes(UTF_8)));
            } else {
                hop.relay(a);
            }
        };
        AtomicBoolean dead = new AtomicBoolean();
        proxy.meets(hop -> {
            if (dead.get()) {
                error(400, "Dead", "it was killed").meets(hop);
            } else {
                // The bundle is staged, its commit follows; nothing that comes after it arrives.
                dead.set(hop.is("PUT") && hop.key().contains("/bundles/"));
                sameSecond.meets(hop);
            }
        });
        put("a/1", 10);
        assertThat(run().exit()).isEqualTo(1);
        assertThat(dead).isTrue();

        put("a/2", 10);
        put("a/3", 10);
        proxy.forget();
        proxy.meets(sameSecond);
        Run second = run();
        assertThat(second.exit()).isZero();
        assertThat(proxy.count(get("a/1"))).as("committed before the kill").isZero();
        assertThat(second.counters().objectsCopied()).isEqualTo(2);
        assertLanded("open-50-same-second");
    }

    @Test
    void an_object_replaced_while_it_is_read_gives_the_new_version_alone() throws Exception {
        putUntold("x", 1000);
        AtomicInteger gets = new AtomicInteger();
        proxy.meets(hop -> {
            if (get("x").test(hop) && gets.incrementAndGet() == 1) {
                Answer old = hop.fetch();
                put("x", 800);
                hop.relayShort(old, old.body().length / 2);
            } else {
                hop.pass();
            }
        });
        assertThat(run().exit()).isZero();
        List<Hop> reads = proxy.hops().stream().filter(get("x")).toList();
        assertThat(reads).hasSize(3);
        assertThat(reads.get(1).header("range")).startsWith("bytes=");
        assertThat(reads.get(1).header("if-match"))
                .isEqualTo(reads.get(0).header("if-match"))
                .isNotEmpty();
        assertThat(reads.get(2).header("if-match"))
                .isNotEqualTo(reads.get(0).header("if-match"))
                .isNotEmpty();
        assertLanded("open-51-overwritten");
    }

    @Test
    void an_object_deleted_after_it_was_listed_is_reported_and_the_run_goes_on() throws Exception {
        putUntold("p/1", 3);
        put("p/2", 3);
        proxy.meets(hop -> {
            if (get("p/1").test(hop)) {
                server.remove(devices, "p/1");
            }
            hop.pass();
        });
        Run run = run();
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.unreadable()).containsExactly(unread("open-52-deleted"));
        assertLanded("open-52-deleted");
        assertThat(run().exit()).as("no longer listed").isZero();
    }

    @Test
    void of_a_versioned_bucket_current_versions_are_copied() throws Exception {
        var versioned = server.owner()
                .putBucketVersioning(r -> r.bucket(devices).versioningConfiguration(c -> c.status("Enabled")));
        assertThat(versioned).isNotNull();
        putUntold("v/1", 7);
        put("v/1", 2);
        putUntold("v/2", 4);
        server.remove(devices, "v/2");
        assertThat(run().exit()).isZero();
        assertLanded("open-53-versioned");
    }

    @Test
    void an_archived_object_is_reported_and_copied_once_it_is_restored() throws Exception {
        putUntold("g/2", 2);
        put("g/1", 2);
        put("g/3", 2);
        proxy.meets(first(
                Integer.MAX_VALUE,
                get("g/2"),
                error(403, "InvalidObjectState", "The operation is not valid for the object's storage class")));
        Run run = run();
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.unreadable()).containsExactly(unread("open-54-archived"));
        assertThat(run.messages()).singleElement().asString().contains("storage class");
        assertLanded("open-54-archived");

        proxy.meets(Hop::pass);
        proxy.forget();
        // The same bytes as before, now told.
        assertThat(lines.object("g/2", 2)).isEqualTo(new Lines().object("g/2", 2));
        Run restored = run();
        assertThat(restored.exit()).isZero();
        assertThat(restored.counters().objectsCopied()).isOne();
        assertThat(proxy.hops().stream()
                        .filter(ScenariosTest::isGet)
                        .filter(h -> h.bucket().equals(devices)))
                .extracting(Hop::key)
                .containsExactly("g/2");
        assertThat(Lines.of(server.objects(lake, "landing/"))).isEqualTo(lines.truth());
    }

    @Test
    void an_object_whose_key_is_denied_is_reported_in_the_words_of_the_service() throws Exception {
        put("k/1", 3);
        putUntold("k/2", 3);
        String words = "User: x is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:eu-west-1:1:key/k";
        proxy.meets(first(Integer.MAX_VALUE, get("k/2"), error(403, "AccessDenied", words)));
        Run run = run();
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.unreadable()).containsExactly(unread("open-55-kms-denied"));
        assertThat(run.messages()).singleElement().asString().contains(words);
        assertThat(proxy.count(get("k/2"))).as("no endless retry").isOne();
        assertLanded("open-55-kms-denied");
    }

    @Test
    void a_requester_pays_bucket_needs_the_option_which_is_named() throws Exception {
        putUntold("r/1", 1);
        proxy.meets(hop -> {
            boolean refused = hop.bucket().equals(devices)
                    && !hop.header("x-amz-request-payer").equals("requester");
            if (refused) {
                error(403, "AccessDenied", "Access Denied").meets(hop);
            } else {
                hop.pass();
            }
        });
        Run without = run();
        assertThat(without.exit()).isEqualTo(1);
        assertThat(without.error()).contains("--requester-pays");
        assertLanded("open-56-requester-pays");

        put("r/1", 1);
        Run with = run(source(true), StoreOptions.DEFAULT);
        assertThat(with.exit()).isZero();
        assertThat(Lines.of(server.objects(lake, "landing/"))).isEqualTo(lines.truth());
        assertThat(proxy.hops().stream().filter(h -> h.bucket().equals(lake)))
                .as("the option is the source's")
                .allSatisfy(h -> assertThat(h.header("x-amz-request-payer")).isEmpty());
    }

    @Test
    void throttling_of_every_kind_is_waited_out() throws Exception {
        lay("open-57-throttled");
        AtomicInteger gets = new AtomicInteger();
        AtomicInteger lists = new AtomicInteger();
        AtomicInteger puts = new AtomicInteger();
        proxy.meets(hop -> {
            boolean throttled = (hop.is("GET") && gets.incrementAndGet() <= 4)
                    || (hop.is("LIST") && lists.incrementAndGet() == 2)
                    || (hop.is("PUT") && puts.incrementAndGet() <= 3);
            if (throttled) {
                slowDown().meets(hop);
            } else {
                hop.pass();
            }
        });
        assertThat(run().exit()).isZero();
        assertThat(gets.get()).isGreaterThan(4);
        assertThat(puts.get()).isGreaterThan(3);
        assertLanded("open-57-throttled");
    }

    @Test
    void expired_credentials_are_looked_up_anew() throws Exception {
        lay("open-58-expired-credentials");
        AtomicInteger lookups = new AtomicInteger();
        AtomicInteger gets = new AtomicInteger();
        AtomicBoolean expired = new AtomicBoolean();
        proxy.meets(hop -> {
            if (hop.is("GET") && gets.incrementAndGet() == 4) {
                expired.set(true);
            }
            if (expired.get() && hop.header("authorization").contains("KEY1/")) {
                error(400, "ExpiredToken", "The provided token has expired.").meets(hop);
            } else {
                hop.pass();
            }
        });
        Run run = runWith(lookups);
        assertThat(run.exit()).isZero();
        assertThat(lookups).hasValue(2);
        assertLanded("open-58-expired-credentials");
    }

    @Test
    void credentials_that_stay_expired_are_looked_up_three_times_and_end_the_run() throws Exception {
        lay("open-58-expired-credentials");
        AtomicInteger lookups = new AtomicInteger();
        AtomicInteger gets = new AtomicInteger();
        FaultProxy.Fault expired = error(400, "ExpiredToken", "The provided token has expired.");
        proxy.meets(hop -> {
            if (hop.is("GET") && gets.incrementAndGet() >= 4) {
                expired.meets(hop);
            } else {
                hop.pass();
            }
        });
        Run run = runWith(lookups);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.error()).contains("credentials have expired");
        String last = proxy.hops().stream()
                .filter(ScenariosTest::isGet)
                .toList()
                .getLast()
                .key();
        assertThat(proxy.count(get(last))).isEqualTo(1 + FreshCredentials.MAX_RENEWALS);
        assertThat(Lines.of(server.objects(lake, "landing/"))).isEmpty();

        proxy.meets(Hop::pass);
        assertThat(run().exit()).isZero();
        assertLanded("open-58-expired-credentials");
    }

    /** Each lookup gives another key: KEY1, KEY2 … */
    private Run runWith(AtomicInteger lookups) {
        return Run.copy(
                source(false),
                sink(),
                folder.resolve("state"),
                () -> new S3Stores(
                        StoreOptions.DEFAULT,
                        () -> new AwsAccess(new FreshCredentials(() -> StaticCredentialsProvider.create(
                                AwsBasicCredentials.create("KEY" + lookups.incrementAndGet(), "secret"))))));
    }

    @Test
    void a_body_that_ends_early_is_no_end_of_the_data() throws Exception {
        lay("open-59-short-read");
        proxy.meets(first(1, get("z/1"), hop -> {
            Answer whole = hop.fetch();
            hop.relayShort(whole, whole.body().length / 2);
        }));
        assertThat(run().exit()).isZero();
        assertThat(proxy.count(get("z/1"))).isEqualTo(2);
        assertLanded("open-59-short-read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_stet/", "landing/"})
    void a_kill_in_a_multipart_upload_leaves_nothing_after_the_next_run(String where) throws Exception {
        lay("open-60-kill-and-leftovers");
        startForeignUploads();
        AtomicInteger parts = new AtomicInteger();
        Set<Process> processes = ConcurrentHashMap.newKeySet();
        proxy.meets(hop -> {
            Answer answer = hop.fetch();
            if (hop.is("PART") && hop.key().startsWith(where) && parts.incrementAndGet() == 2) {
                // While it waits for the answer to the second of several parts.
                processes.forEach(Process::destroyForcibly);
                hop.cut();
            } else {
                hop.relay(answer);
            }
        });
        Path state = folder.resolve("state");
        Process process = CopyProcess.start(
                proxy.endpoint(), devices, lake, state, folder.resolve("log").toFile());
        processes.add(process);
        assertThat(process.waitFor(200, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("killed").isGreaterThan(128);
        assertThat(server.openUploads(lake)).hasSizeGreaterThan(2);

        proxy.meets(Hop::pass);
        assertThat(run(source(false), CopyProcess.SMALL_PARTS).exit()).isZero();
        assertThat(Lines.of(server.objects(lake, "landing/")))
                .isEqualTo(lines.truth())
                .hasSize(50_000);
        assertThat(server.openUploads(lake)).containsExactly("_stet/other/bundles/b", "landing/e/apply-x.jsonl");
        assertThat(server.objects(lake, "_stet/").keySet()).noneMatch(k -> k.contains("/bundles/"));
    }

    /** Of somebody else, in the very folders that a run uses. */
    private void startForeignUploads() {
        for (String key : List.of("_stet/other/bundles/b", "landing/e/apply-x.jsonl")) {
            var begun = server.owner().createMultipartUpload(r -> r.bucket(lake).key(key));
            assertThat(begun.uploadId()).isNotEmpty();
        }
    }

    @Test
    void a_clock_that_is_slow_is_corrected() throws Exception {
        lay("open-61-clock-skew");
        try (SkewedServer skewed = new SkewedServer(Duration.ofMinutes(20), proxy.endpoint())) {
            Run run = Run.copy(
                    S3Server.location(skewed.endpoint(), devices, ""),
                    S3Server.location(skewed.endpoint(), lake, "landing"),
                    folder.resolve("state"),
                    () -> server.stores(StoreOptions.DEFAULT));
            assertThat(run.exit()).isZero();
            assertThat(skewed.refused()).isPositive();
        }
        assertLanded("open-61-clock-skew");
    }

    @Test
    void a_clock_that_cannot_be_corrected_is_named() throws Exception {
        lay("open-61-clock-skew");
        proxy.meets(error(403, "RequestTimeTooSkewed", "The difference is too large."));
        // The SDK's own setting, so that the test need not wait as long as a run does.
        System.setProperty("aws.maxAttempts", "2");
        try {
            Run run = run();
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.error()).contains("the clock of this machine is wrong");
        } finally {
            System.clearProperty("aws.maxAttempts");
        }
    }
}
