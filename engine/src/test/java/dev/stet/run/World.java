package dev.stet.run;

import dev.stet.audit.Digest;
import dev.stet.audit.DigestBuilder;
import dev.stet.codec.SliceCodec;
import dev.stet.compact.CompactionSteps;
import dev.stet.compact.Compactor;
import dev.stet.compact.CompactorSettings;
import dev.stet.compact.Sweeper;
import dev.stet.compact.TaskLimits;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.copy.Backoff;
import dev.stet.copy.CommitIds;
import dev.stet.copy.Committer;
import dev.stet.copy.CopyWorker;
import dev.stet.copy.LeaseKeeper;
import dev.stet.copy.PartLimits;
import dev.stet.copy.ScanLimits;
import dev.stet.copy.WorkerSettings;
import dev.stet.faults.FaultPlan;
import dev.stet.ledger.FaultyLedger;
import dev.stet.ledger.Ledger;
import dev.stet.record.JsonFramer;
import dev.stet.route.Router;
import dev.stet.route.RoutingSettings;
import dev.stet.route.TimeUnit;
import dev.stet.store.FaultySource;
import dev.stet.store.FaultyStore;
import dev.stet.store.InMemoryStore;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceStore;
import dev.stet.task.TaskCopier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A small archive, its ledger, staging and sink in memory, and processes that copy it: everything of a run but the command line and the lock. Small limits, so
 * that a dozen objects make several pages, commits, runs and landed objects.
 */
final class World {
    static final ScanLimits LIMITS = new ScanLimits(2, 3, 1 << 20, 2);
    static final String PIPELINE = "0123456789abcdef";

    final InMemoryStore source = new InMemoryStore();
    final InMemoryStore staging = new InMemoryStore();
    final InMemoryStore sink = new InMemoryStore();
    final Ledger ledger;
    /** So small that most partitions land in several objects. */
    long maxObjectBytes = 300;

    int maxCommits = CompactorSettings.MAX_COMMITS;
    /** One at a time, so that faults hit the same call again. */
    int reads = 1;

    private final Clock clock;
    private final Map<String, DigestBuilder> truth = new TreeMap<>();

    World(Ledger ledger, Clock clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /** Puts an object of so many records, of tenants in turn; the truth learns of them. */
    void put(String key, int records) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < records; i++) {
            String tenant = "t" + i % 3;
            int day = 1 + (i + key.length()) % 2;
            String record =
                    "{\"event_type\":\"e\",\"tenant_id\":\"%s\",\"time\":\"2021-10-%02dT00:00:00Z\",\"of\":\"%s\",\"i\":%d}"
                            .formatted(tenant, day, key, i);
            text.append(record);
            byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
            truth.computeIfAbsent(
                            "e/p_tenant_id=%s/year=2021/month=10/day=%02d".formatted(tenant, day),
                            p -> new DigestBuilder())
                    .add(bytes, 0, bytes.length);
        }
        source.put(key, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** A dozen objects over several pages, one of them with a damaged line and one empty of records. */
    void putArchive() {
        for (int i = 0; i < 10; i++) {
            put("2021/%02d".formatted(i), 4 + i % 3);
        }
        source.put("2021/90", "{broken\n".getBytes(StandardCharsets.UTF_8));
        source.put("2021/91", " \n".getBytes(StandardCharsets.UTF_8));
    }

    Map<String, Digest> truth() {
        Map<String, Digest> digests = new TreeMap<>();
        truth.forEach((path, d) -> digests.put(path, d.digest()));
        return digests;
    }

    /** What lies in the sink, by folder: read from paths and bytes alone. */
    Map<String, Digest> landed() {
        Map<String, DigestBuilder> found = new TreeMap<>();
        for (String key : sink.keys()) {
            if (!key.startsWith("_quarantine/")) {
                DigestBuilder d =
                        found.computeIfAbsent(key.substring(0, key.lastIndexOf('/')), p -> new DigestBuilder());
                for (String line : new String(sink.bytes(key), StandardCharsets.UTF_8).split("\n", -1)) {
                    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
                    if (bytes.length > 0) {
                        d.add(bytes, 0, bytes.length);
                    }
                }
            }
        }
        Map<String, Digest> digests = new TreeMap<>();
        found.forEach((path, d) -> digests.put(path, d.digest()));
        return digests;
    }

    long quarantineLines() {
        return sink.keys().stream()
                .filter(k -> k.startsWith("_quarantine/"))
                .mapToLong(k -> new String(sink.bytes(k), StandardCharsets.UTF_8)
                        .lines()
                        .count())
                .sum();
    }

    /** A process, all of whose calls meet the plan's faults. */
    Process process(FaultPlan plan) {
        return new Process(plan);
    }

    final class Process {
        private final SourceStore from;
        private final ObjectStore stage;
        private final Ledger rows;
        private final Sweeper sweeper;
        private final Compactor compactor;
        private final ObjectStore to;
        private final RunMeter meter;

        Process(FaultPlan plan) {
            this.from = new FaultySource(source, plan);
            this.stage = new FaultyStore(staging, plan);
            this.rows = new FaultyLedger(ledger, plan);
            this.sweeper = new Sweeper(rows, stage, clock);
            Buffers buffers = new Buffers(LandingPolicy.DEFAULT, Long.MAX_VALUE, clock);
            this.meter = new RunMeter(new QuietListener(), buffers, clock);
            this.to = new FaultyStore(sink, plan);
            this.compactor = new Compactor(
                    rows,
                    stage,
                    to,
                    new CompactorSettings(
                            PIPELINE,
                            maxObjectBytes,
                            false,
                            1,
                            1 << 20,
                            reads,
                            maxCommits,
                            new TaskLimits(1 << 20, 3, 1_000),
                            () -> false),
                    meter);
        }

        /** What {@code stet copy} does. */
        void run() throws IOException {
            recover();
            copy();
            land();
        }

        void recover() throws IOException {
            sweeper.abandonAll();
            sweeper.sweep();
            boolean _ = compactor.resume();
        }

        void copy() throws IOException {
            new CopyPhase(from, rows, key -> true, LIMITS, 1, this::worker, meter, () -> {}, () -> false).run();
        }

        CopyWorker worker() {
            return new CopyWorker(
                    from,
                    stage,
                    rows,
                    new Committer(rows, Backoff.NONE),
                    new CommitIds(clock, new SecureRandom()),
                    LeaseKeeper.onDemand(rows, clock),
                    clock,
                    workerSettings(() -> false),
                    meter);
        }

        /** A stateless worker of a fan-out. */
        TaskCopier copier(int threads, BooleanSupplier stop) {
            return copier(threads, stop, PartLimits.NONE);
        }

        TaskCopier copier(int threads, BooleanSupplier stop, PartLimits parts) {
            CommitIds ids = new CommitIds(clock, new SecureRandom());
            LeaseKeeper leases = LeaseKeeper.onDemand(rows, clock);
            return new TaskCopier(
                    from,
                    stage,
                    rows,
                    key -> true,
                    LIMITS,
                    threads,
                    workerSettings(stop, parts),
                    ids,
                    leases,
                    clock,
                    Backoff.NONE);
        }

        private WorkerSettings workerSettings(BooleanSupplier stop) {
            return workerSettings(stop, PartLimits.NONE);
        }

        private WorkerSettings workerSettings(BooleanSupplier stop, PartLimits parts) {
            return new WorkerSettings(
                    () -> new JsonFramer(new Router(ROUTING).paths(), Optional.empty()),
                    () -> new Router(ROUTING),
                    SliceCodec.NONE,
                    400 << 10,
                    staged -> false,
                    stop,
                    parts);
        }

        /** The same compaction, in steps. */
        CompactionSteps steps(TaskLimits limits, BooleanSupplier stop) {
            return new CompactionSteps(
                    rows,
                    stage,
                    to,
                    new CompactorSettings(
                            PIPELINE, maxObjectBytes, false, 1, 1 << 20, reads, maxCommits, limits, stop));
        }

        Sweeper sweeper() {
            return sweeper;
        }

        void land() throws IOException {
            boolean _ = compactor.land();
            sweeper.sweep();
        }

        RunCounters counters() {
            return meter.counters();
        }
    }

    private static final RoutingSettings ROUTING = new RoutingSettings(
            List.of("event_type"),
            "",
            List.of(new RoutingSettings.PartitionLevel(List.of("tenant_id"), Optional.empty())),
            "p_",
            List.of("time"),
            TimeUnit.DAY,
            "",
            true,
            Map.of(),
            RoutingSettings.OnMissing.QUARANTINE);
}
