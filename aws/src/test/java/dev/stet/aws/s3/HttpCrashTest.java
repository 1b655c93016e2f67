package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.FaultProxy;
import dev.stet.aws.FaultProxy.Hop;
import dev.stet.aws.MiniStack;
import dev.stet.aws.TableLedgers;
import dev.stet.aws.s3.BadNetwork.Event;
import dev.stet.ledger.ManualClock;
import dev.stet.run.LedgerPlace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Design §11.5 over HTTP, on S3 and DynamoDB: by a seed, requests are lost before or after they are applied, throttled, answered with errors, come late, and
 * processes die. The work is rerun until it is done; then the sink must hold the source's records, each once, staging nothing, and foreign uploads must be there.
 *
 * <p>As many rounds as fit {@code stet.crash.seconds} (default 30), from seed {@code stet.crash.seed} (default 1).
 */
@Timeout(3_600)
class HttpCrashTest {
    private static final long SECONDS = Long.getLong("stet.crash.seconds", 30);
    private static final long FIRST_SEED = Long.getLong("stet.crash.seed", 1);
    private static final long LEASE_MILLIS = 61_000;
    /** Longer than the rows of swept commits are kept. */
    private static final long EIGHT_DAYS = 8 * 86_400_000L;

    private static final int BAD_RUNS = 3;

    private final S3Server server = Servers.unsignedS3Proxy();
    private final String table = "crash-" + UUID.randomUUID();
    private final ManualClock clock = new ManualClock();
    private final Map<Event, Integer> met = new EnumMap<>(Event.class);
    private int late;
    private long toS3;
    private long toDynamo;

    @BeforeEach
    void fewAttempts() {
        // The SDK's own setting: so that faults get through to the engine, and the dead do not wait long.
        System.setProperty("aws.maxAttempts", "3");
    }

    @AfterEach
    void usualAttempts() {
        System.clearProperty("aws.maxAttempts");
    }

    @Test
    void seeded_faults_over_http_lose_and_repeat_nothing() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int rounds = 0;
        try (FaultProxy s3 = new FaultProxy(server.endpoint());
                FaultProxy dynamo = new FaultProxy(MiniStack.shared().endpoint());
                TableLedgers ledgers = new TableLedgers(dynamo.endpoint())) {
            ledgers.create(table);
            while (rounds == 0 || System.nanoTime() < end) {
                new Round(FIRST_SEED + rounds, s3, dynamo, ledgers).play();
                rounds++;
            }
        }
        System.out.println(rounds + " rounds of faults over HTTP, " + toS3 + " requests to S3 and " + toDynamo
                + " to DynamoDB, met: " + met + ", arrived late: " + late);
        assertThat(met).isNotEmpty();
    }

    private final class Round {
        private final long seed;
        private final SplittableRandom random;
        private final FaultProxy s3;
        private final FaultProxy dynamo;
        private final TableLedgers ledgers;
        private final StoreOptions options;
        private final Lines lines = new Lines();
        private final String devices = server.newBucket();
        private final String lake = server.newBucket();
        private final List<BadNetwork> networks = new ArrayList<>();

        Round(long seed, FaultProxy s3, FaultProxy dynamo, TableLedgers ledgers) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            this.s3 = s3;
            this.dynamo = dynamo;
            this.ledgers = ledgers;
            this.options = random.nextBoolean() ? StoreOptions.DEFAULT : StoreOptions.DEFAULT.withUploadsOnly();
        }

        void play() throws Exception {
            for (int i = 0; i < 6; i++) {
                server.put(devices, "raw/" + i, lines.object("raw/" + i, 4 + i));
            }
            server.put(devices, "raw/broken", "{broken\n".getBytes(UTF_8));
            Map<String, byte[]> source = server.objects(devices, "");
            for (String key : List.of("_stet/other/bundles/b", "landing/e/apply-x.jsonl")) {
                var begun =
                        server.owner().createMultipartUpload(r -> r.bucket(lake).key(key));
                assertThat(begun.uploadId()).isNotEmpty();
            }
            List<String> story = new ArrayList<>();
            int arrivedLate = 0;
            for (int bad = 0; bad < BAD_RUNS; bad++) {
                // Half of the processes die in their middle.
                long untilDeath = random.nextBoolean() ? 5 + random.nextInt(150) : Long.MAX_VALUE;
                BadNetwork network = new BadNetwork(random.nextLong(), untilDeath);
                networks.add(network);
                Run run = run(network);
                story.add(run.exit() + " " + network.met());
                if (random.nextBoolean()) {
                    // Requests of a process that is taken for dead.
                    clock.advance(LEASE_MILLIS);
                }
                if (random.nextBoolean()) {
                    arrivedLate += network.deliver();
                }
            }
            assertThat(run(Hop::pass).exit()).as(about(story)).isZero();
            int atLast = 0;
            for (BadNetwork network : networks) {
                atLast += network.deliver();
                network.met().forEach((event, n) -> met.merge(event, n, Integer::sum));
            }
            late += arrivedLate + atLast;
            // The first run after the lease clears away what the dead left. A bundle that is put after it was swept
            // goes with
            // the row of its commit, a week later.
            clock.advance(arrivedLate + atLast == 0 ? LEASE_MILLIS : EIGHT_DAYS);
            assertThat(run(Hop::pass).exit()).as(about(story)).isZero();
            assertTruth(source, about(story));
        }

        private Run run(FaultProxy.Fault network) {
            s3.meets(network);
            dynamo.meets(network);
            s3.forget();
            dynamo.forget();
            Run run = Run.at(
                    clock,
                    Run.pipeline(
                            S3Server.location(s3.endpoint(), devices, "raw/"),
                            S3Server.location(s3.endpoint(), lake, "landing"),
                            Run.ROUTING,
                            Optional.empty()),
                    Run.options(new LedgerPlace.Table(table), Optional.empty()),
                    () -> server.stores(options),
                    ledgers);
            toS3 += s3.hops().size();
            toDynamo += dynamo.hops().size();
            return run;
        }

        private String about(List<String> story) {
            return "seed " + seed + ", runs: " + story;
        }

        private void assertTruth(Map<String, byte[]> source, String story) {
            Map<String, byte[]> sink = server.objects(lake, "landing/");
            assertThat(Lines.of(sink)).as(story).isEqualTo(lines.truth());
            assertThat(sink.entrySet().stream()
                            .filter(e -> e.getKey().startsWith("_quarantine/"))
                            .mapToLong(
                                    e -> new String(e.getValue(), UTF_8).lines().count())
                            .sum())
                    .as(story)
                    .isOne();
            assertThat(server.objects(lake, "_stet/").keySet()).as(story).noneMatch(k -> k.contains("/bundles/"));
            // The name of a header is not known to whoever comes later (see CrashContract); a small one is no upload
            // unless all
            // are. A process that dies in its preflight leaves an upload without a part, under a name of its own.
            assertThat(server.openUploads(lake).stream()
                            .filter(k -> !k.contains("/headers/"))
                            .filter(k -> !k.contains("/stet-probe-")))
                    .as(story)
                    .containsExactly("_stet/other/bundles/b", "landing/e/apply-x.jsonl");
            assertThat(server.openUploads(devices)).as(story).isEmpty();
            Map<String, byte[]> now = server.objects(devices, "");
            assertThat(now.keySet()).as(story).isEqualTo(source.keySet());
            now.forEach((key, bytes) -> assertThat(bytes).as(key).isEqualTo(source.get(key)));

            Run again = run(Hop::pass);
            assertThat(again.counters().objectsCopied()).as(story).isZero();
            assertThat(s3.count(hop -> hop.is("GET") && hop.bucket().equals(devices)))
                    .as(story)
                    .isZero();
            assertThat(new TreeMap<>(server.objects(lake, "landing/")).keySet())
                    .as(story)
                    .isEqualTo(sink.keySet());
        }
    }
}
