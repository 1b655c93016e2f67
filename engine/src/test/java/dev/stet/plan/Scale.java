package dev.stet.plan;

import dev.stet.audit.Digest;
import dev.stet.codec.SliceCodec;
import dev.stet.compact.CompactionSteps;
import dev.stet.compact.CompactorSettings;
import dev.stet.compact.TaskLimits;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.ManualClock;
import dev.stet.stage.BundleBuilder;
import dev.stet.stage.BundleSummary;
import dev.stet.stage.SliceKind;
import dev.stet.stage.SourceRef;
import dev.stet.stage.StagingKeys;
import dev.stet.stage.TaskFile;
import dev.stet.stage.TaskItem;
import dev.stet.store.InMemoryStore;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Plans of any size, over listings and bundles that are invented. {@code main} measures what docs/scale.md tells. */
final class Scale {
    private Scale() {}

    /** Figures of a plan of copying. */
    record Copying(SourcePlanner.Planned planned, TaskFile.Written written, long itemsBytes, long longestItem) {}

    /** Figures of a plan of compacting. */
    record Compacting(
            CompactionSteps.Plan plan,
            long planBytes,
            long itemsBytes,
            long longestItem,
            long longestLine,
            long reads) {}

    static Copying copying(InventedSource source, TaskSize size, int threads) throws IOException {
        InMemoryStore staging = new InMemoryStore();
        try (TaskFile file = new TaskFile(staging, "plans/run-0123456789")) {
            SourcePlanner.Planned planned =
                    new SourcePlanner(source, size, threads, () -> false).plan(KeyRange.ALL, file);
            TaskFile.Written written = file.complete();
            byte[] items = staging.bytes(written.itemsKey());
            return new Copying(planned, written, items.length, longest(items));
        }
    }

    /** @param latency of each read of staging, milliseconds @param reads in flight */
    static Compacting compacting(int runs, int partitions, long memory, int latency, int reads) throws IOException {
        OneBundle staging = new OneBundle(partitions, latency);
        Ledger ledger = new InMemoryLedger(new ManualClock());
        for (int i = 0; i < runs; i++) {
            String id = "%032x".formatted(i);
            ledger.begin(Commit.uploading(id, StagingKeys.bundle(id), 0, 0));
            CommitDetails details =
                    new CommitDetails(staging.summary.length(), 0, "", 1_000, Digest.EMPTY, Map.of(), 0, List.of());
            ledger.commit(id, details, List.of());
        }
        CompactorSettings settings = new CompactorSettings(
                "0123456789abcdef", 5L << 30, false, 1, memory, reads, runs, TaskLimits.WORKERS, () -> false);
        CompactionSteps.Plan plan = new CompactionSteps(ledger, staging, new InMemoryStore(), settings)
                .plan("0123456789")
                .orElseThrow();
        byte[] items = staging.files.bytes(plan.itemsKey());
        String tasksKey = TaskItem.ofLine(new String(items, StandardCharsets.UTF_8)
                        .lines()
                        .findFirst()
                        .orElseThrow())
                .key();
        byte[] lines = staging.files.bytes(tasksKey);
        return new Compacting(plan, lines.length, items.length, longest(items), longest(lines), staging.reads.get());
    }

    private static long longest(byte[] text) {
        long longest = 0;
        long line = 0;
        for (byte b : text) {
            line = b == '\n' ? 0 : line + 1;
            longest = Math.max(longest, line);
        }
        return longest;
    }

    /** Staging where every bundle is the same one: a record for each partition of one day. */
    private static final class OneBundle implements ObjectStore {
        private final InMemoryStore files = new InMemoryStore();
        private final AtomicLong reads = new AtomicLong();
        private final BundleSummary summary;
        private final byte[] bundle;
        private final int latency;

        OneBundle(int partitions, int latency) throws IOException {
            this.latency = latency;
            InMemoryStore built = new InMemoryStore();
            try (BundleBuilder builder = new BundleBuilder(built, "b", SliceCodec.NONE, 64L << 20, () -> {})) {
                builder.beginObject(new SourceRef("k", Optional.empty()));
                byte[] record =
                        "{\"event_type\":\"e\",\"tenant_id\":\"t\",\"time\":\"2021-10-05T00:00:00Z\",\"payload\":1}"
                                .getBytes(StandardCharsets.UTF_8);
                for (int i = 0; i < partitions; i++) {
                    byte[] path =
                            "order_created/p_tenant_id=%08x-4bd2-11ec-81d3-0242ac130003/p_year=2021/p_month=10/p_day=05"
                                    .formatted(i * 2_654_435_761L & 0xffffffffL)
                                    .getBytes(StandardCharsets.UTF_8);
                    builder.add(SliceKind.LINES, 20211005, path, path.length, record, 0, record.length, i * 100L);
                }
                builder.endObject("e", 1);
                summary = builder.complete();
            }
            bundle = built.bytes(StagingKeys.bundle("b"));
        }

        @Override
        public InputStream read(String key, long offset, long length) throws IOException {
            if (key.startsWith("bundles/")) {
                reads.incrementAndGet();
                await();
                return new java.io.ByteArrayInputStream(
                        Arrays.copyOfRange(bundle, (int) offset, (int) (offset + length)));
            }
            return files.read(key, offset, length);
        }

        /** As a network makes wait. */
        private void await() throws IOException {
            if (latency > 0) {
                try {
                    Thread.sleep(latency);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException();
                }
            }
        }

        @Override
        public ObjectListing list(KeyRange range) {
            return files.list(range);
        }

        @Override
        public ObjectWriter create(String key) {
            return files.create(key);
        }

        @Override
        public Optional<StoredObject> readBack(String key) {
            return files.readBack(key);
        }

        @Override
        public void delete(String key) {
            files.delete(key);
        }

        @Override
        public void abortUploads(String key) {
            files.abortUploads(key);
        }

        @Override
        public void abortUploadsNamed(String nameBeginning) {
            files.abortUploadsNamed(nameBeginning);
        }

        @Override
        public void flush() {}

        @Override
        public String describe() {
            return files.describe();
        }

        @Override
        public String describe(String key) {
            return files.describe(key);
        }
    }

    /** Prints the figures. @param args {@code firehose OBJECTS}, {@code hashed OBJECTS} or {@code compact RUNS PARTITIONS MILLISECONDS READS} */
    public static void main(String[] args) throws IOException {
        long start = System.nanoTime();
        Object figures = switch (args[0]) {
            case "firehose" -> copying(Archives.firehose(Long.parseLong(args[1])), TaskSize.DEFAULT, 2);
            case "hashed" -> copying(Archives.hashed(Long.parseLong(args[1])), TaskSize.DEFAULT, 2);
            case "compact" ->
                compacting(
                        Integer.parseInt(args[1]),
                        Integer.parseInt(args[2]),
                        256L << 20,
                        Integer.parseInt(args[3]),
                        Integer.parseInt(args[4]));
            default -> throw new IllegalArgumentException(args[0]);
        };
        if (figures instanceof Copying c) {
            SourcePlanner.Planned p = c.planned();
            System.out.printf(
                    "%s: %d tasks, about %d objects, %d lists, %d extents; tasks %d bytes, items %d bytes, longest item %d%n",
                    args[0],
                    p.tasks(),
                    p.objects(),
                    p.lists(),
                    p.extents().size(),
                    c.written().bytes(),
                    c.itemsBytes(),
                    c.longestItem());
        } else {
            System.out.println(figures);
        }
        System.out.printf(
                "heap %d MB, %.1f s%n", Runtime.getRuntime().maxMemory() >> 20, (System.nanoTime() - start) / 1e9);
    }
}
