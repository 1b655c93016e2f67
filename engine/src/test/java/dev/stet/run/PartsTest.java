package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.copy.PartLimits;
import dev.stet.faults.FaultPlan;
import dev.stet.faults.FaultPlan.Fault;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.ManualClock;
import dev.stet.ledger.PartialCopy;
import dev.stet.store.KeyRange;
import dev.stet.task.CopyCounters;
import dev.stet.task.SourceTask;
import dev.stet.task.TaskResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects too large for one worker: copied in several commits that count all at once, or not at all. */
class PartsTest {
    /** The framer asks whether to pause every 128 KiB. */
    private static final PartLimits SMALL = new PartLimits(200_000, 100_000, Long.MAX_VALUE);

    private static final SourceTask ALL = new SourceTask.Range(KeyRange.ALL);
    private static final int RECORDS = 6_000;
    private static final long EIGHT_DAYS = 8 * 86_400_000L;

    private final ManualClock clock = new ManualClock();

    private World fresh() {
        return new World(new InMemoryLedger(clock), clock);
    }

    /** A world with one large object of some 600 KB among small ones, stored as it is or compressed. */
    private World world(boolean gzip) throws IOException {
        World w = fresh();
        w.maxObjectBytes = 100_000;
        w.put("2021/00", 5);
        w.put("2021/50", RECORDS);
        w.put("2021/90", 5);
        if (gzip) {
            byte[] plain = w.source.bytes("2021/50");
            w.source.put("2021/50", gzip(plain));
            assertThat(w.source.bytes("2021/50").length).isLessThan(plain.length);
        }
        return w;
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    private static PartLimits limits(boolean gzip) {
        return gzip ? new PartLimits(10_000, 100_000, Long.MAX_VALUE) : SMALL;
    }

    private static TaskResult work(World w, FaultPlan plan, BooleanSupplier stop, PartLimits parts) throws IOException {
        return w.process(plan).copier(1, stop, parts).copy(ALL);
    }

    private static List<PartialCopy> partial(World w) throws IOException {
        List<PartialCopy> all = new ArrayList<>();
        w.ledger.forEachPartialCopy(all::add);
        return all;
    }

    private static long count(World w, CommitState state) throws IOException {
        AtomicInteger n = new AtomicInteger();
        w.ledger.forEach(state, c -> n.incrementAndGet());
        return n.get();
    }

    private void assertTruth(World w, String story) throws IOException {
        World.Process p = w.process(FaultPlan.none());
        p.recover();
        p.land();
        assertThat(w.landed()).as(story).isEqualTo(w.truth());
        assertThat(partial(w)).as(story).isEmpty();
        for (CommitState state : List.of(CommitState.UPLOADING, CommitState.PARTIAL, CommitState.COMMITTED)) {
            assertThat(count(w, state)).as(story + " " + state).isZero();
        }
        p.sweeper().sweep();
        assertThat(w.staging.keys()).as(story).noneMatch(k -> k.startsWith("bundles/"));
        assertThat(w.staging.uploadKeys()).as(story).noneMatch(k -> k.startsWith("bundles/"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_large_object_is_copied_in_parts_by_one_worker_that_has_the_time(boolean gzip) throws Exception {
        World w = world(gzip);
        TaskResult result = work(w, FaultPlan.none(), () -> false, limits(gzip));
        assertThat(result.left()).isEmpty();
        assertThat(result.counters().objectsCopied()).isEqualTo(3);
        assertThat(result.counters().records().count()).isEqualTo(RECORDS + 10);
        assertThat(count(w, CommitState.COMMITTED)).isGreaterThanOrEqualTo(5);
        assertTruth(w, "one worker");
    }

    /** Each worker has time for one part. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void short_lived_workers_take_it_on_from_each_other(boolean gzip) throws Exception {
        World w = world(gzip);
        SourceTask task = ALL;
        CopyCounters sum = CopyCounters.NONE;
        int workers = 0;
        for (boolean done = false; !done; workers++) {
            long parts = partial(w).stream().mapToLong(c -> c.commits().size()).sum();
            BooleanSupplier stop = () -> {
                try {
                    return partial(w).stream()
                                    .mapToLong(c -> c.commits().size())
                                    .sum()
                            > parts;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            };
            TaskResult result =
                    w.process(FaultPlan.none()).copier(1, stop, limits(gzip)).copy(task);
            sum = sum.plus(result.counters());
            done = result.left().isEmpty();
            if (!done) {
                task = result.left().getFirst();
                assertThat(count(w, CommitState.PARTIAL)).isEqualTo(parts + 1);
            }
        }
        assertThat(workers).isGreaterThanOrEqualTo(4);
        assertThat(sum.objectsCopied()).isEqualTo(3);
        assertThat(sum.records().count()).isEqualTo(RECORDS + 10);
        assertTruth(w, "short-lived");
    }

    @Test
    void what_is_stored_as_it_reads_is_not_read_again_from_its_beginning() throws Exception {
        World w = world(false);
        long size = w.source.bytes("2021/50").length;
        long read = work(w, FaultPlan.none(), () -> false, SMALL).counters().bytesRead();
        // Each part reads ahead by a window of the framer, and no more.
        assertThat(read).isLessThan(size + 10 * (256 << 10));
        assertThat(partial(w)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL", "LOSE", "DELAY"})
    void killed_at_any_call_the_next_worker_takes_it_on(Fault fault) throws Exception {
        for (long n = 1; ; n++) {
            World w = world(n % 2 == 0);
            FaultPlan plan = FaultPlan.crashAt(n, fault);
            PartLimits limits = limits(n % 2 == 0);
            try {
                work(w, plan, () -> false, limits);
            } catch (IOException e) {
                // Killed.
            }
            String story = fault + " at call " + n + " of " + plan.log();
            if (n % 3 == 0) {
                List<Object> _ = plan.deliver();
            }
            clock.advance(120_000);
            assertThat(work(w, FaultPlan.none(), () -> false, limits).left()).isEmpty();
            assertTruth(w, story);
            List<Object> _ = plan.deliver();
            clock.advance(EIGHT_DAYS);
            World.Process last = w.process(FaultPlan.none());
            last.run();
            assertThat(last.counters().objectsCopied()).as("late " + story).isZero();
            assertThat(w.landed()).as("late " + story).isEqualTo(w.truth());
            if (plan.calls() < n) {
                return;
            }
        }
    }

    @Test
    void workers_at_once_on_one_object_copy_it_once() throws Exception {
        for (int round = 0; round < 15; round++) {
            World w = world(round % 2 == 0);
            PartLimits limits = limits(round % 2 == 0);
            List<Callable<TaskResult>> workers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                workers.add(() -> work(w, FaultPlan.none(), () -> false, limits));
            }
            CopyCounters sum = CopyCounters.NONE;
            try (ExecutorService pool = Executors.newFixedThreadPool(workers.size())) {
                for (Future<TaskResult> f : pool.invokeAll(workers)) {
                    sum = sum.plus(f.get().counters());
                }
            }
            assertThat(sum.objectsCopied()).as("round " + round).isEqualTo(3);
            assertTruth(w, "round " + round);
        }
    }

    /** Copies the first part, as a worker does that has no more time. */
    private static void firstPart(World w) throws IOException {
        work(w, FaultPlan.none(), () -> count(w) > 0, SMALL);
        assertThat(count(w, CommitState.PARTIAL)).isEqualTo(1);
    }

    private static long count(World w) {
        try {
            return partial(w).size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void an_object_that_changes_in_between_lands_as_it_is_then_and_no_part_of_what_it_was() throws Exception {
        World other = fresh();
        other.put("2021/50", 7);
        World w = world(false);
        firstPart(w);
        w.source.put("2021/50", other.source.bytes("2021/50"));
        assertThat(work(w, FaultPlan.none(), () -> false, SMALL).counters().objectsCopied())
                .isEqualTo(1);
        World.Process p = w.process(FaultPlan.none());
        p.recover();
        p.land();
        World expected = fresh();
        expected.put("2021/00", 5);
        expected.put("2021/50", 7);
        expected.put("2021/90", 5);
        assertThat(w.landed()).isEqualTo(expected.truth());
        assertThat(count(w, CommitState.PARTIAL)).isZero();
        assertThat(w.staging.keys()).noneMatch(k -> k.startsWith("bundles/"));
    }

    /** Also where the new one is copied in parts too: its parts are not added to the old one's. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_large_object_that_another_large_one_replaces_in_between_lands_as_it_is_then(boolean whileItIsRead)
            throws Exception {
        World other = fresh();
        other.put("2021/50", RECORDS + 7);
        byte[] replacement = other.source.bytes("2021/50");
        World w = world(false);
        firstPart(w);
        String old = partial(w).getFirst().commits().getFirst();
        AtomicInteger looks = new AtomicInteger();
        BooleanSupplier replacing = () -> {
            if (looks.incrementAndGet() == (whileItIsRead ? 9 : 1)) {
                w.source.put("2021/50", replacement);
            }
            return false;
        };
        TaskResult result = work(w, FaultPlan.none(), replacing, SMALL);
        assertThat(result.left()).isEmpty();
        assertThat(w.ledger.find(old).orElseThrow().state()).isEqualTo(CommitState.ABANDONED);
        World expected = fresh();
        expected.put("2021/00", 5);
        expected.put("2021/50", RECORDS + 7);
        expected.put("2021/90", 5);
        World.Process p = w.process(FaultPlan.none());
        p.recover();
        p.land();
        assertThat(w.landed()).isEqualTo(expected.truth());
        assertThat(partial(w)).isEmpty();
    }

    @Test
    void an_object_that_proves_damaged_in_its_last_part_is_set_aside_whole() throws Exception {
        World w = world(true);
        byte[] stored = w.source.bytes("2021/50");
        stored[stored.length - 6] ^= 1;
        w.source.put("2021/50", stored);
        CopyCounters c = work(w, FaultPlan.none(), () -> false, limits(true)).counters();
        assertThat(c.quarantined()).containsExactly(java.util.Map.entry("corrupt_compression", 1L));
        assertThat(c.objectsCopied()).isEqualTo(3);
        assertThat(partial(w)).isEmpty();
        World.Process p = w.process(FaultPlan.none());
        p.recover();
        p.land();
        World expected = fresh();
        expected.put("2021/00", 5);
        expected.put("2021/90", 5);
        assertThat(w.landed()).isEqualTo(expected.truth());
        assertThat(w.quarantineLines()).isEqualTo(1);
        assertThat(w.staging.keys()).noneMatch(k -> k.startsWith("bundles/"));
    }

    @Test
    void the_engine_of_one_machine_copies_it_whole_and_gives_the_parts_up() throws Exception {
        World w = world(false);
        firstPart(w);
        World.Process engine = w.process(FaultPlan.none());
        engine.run();
        assertThat(engine.counters().objectsCopied()).isEqualTo(1);
        assertTruth(w, "whole");
        // A worker that had seen the parts finds them gone, and the object copied.
        assertThat(work(w, FaultPlan.none(), () -> false, SMALL).counters().objectsCopied())
                .isZero();
    }

    @Test
    void parts_that_nobody_goes_on_with_are_garbage_after_a_week() throws Exception {
        World w = world(false);
        firstPart(w);
        w.source.remove("2021/50");
        World.Process p = w.process(FaultPlan.none());
        clock.advance(EIGHT_DAYS - 86_400_000L - 1);
        p.sweeper().sweep();
        assertThat(count(w, CommitState.PARTIAL)).isEqualTo(1);
        clock.advance(86_400_000L);
        p.sweeper().sweep();
        assertThat(count(w, CommitState.PARTIAL)).isZero();
        assertThat(partial(w)).isEmpty();
    }

    /** Little that is stored, much content: its size tells nothing. */
    @Test
    void a_small_object_that_takes_too_long_is_copied_in_parts_and_holds_up_no_other() throws Exception {
        World w = world(true);
        w.put("2021/60", 10 * RECORDS);
        w.source.put("2021/60", gzip(w.source.bytes("2021/60")));
        AtomicInteger looks = new AtomicInteger();
        PartLimits limits = new PartLimits(Long.MAX_VALUE, 1_000_000, 3);
        SourceTask task = ALL;
        CopyCounters sum = CopyCounters.NONE;
        int workers = 0;
        for (boolean done = false; !done && workers < 50; workers++) {
            looks.set(0);
            BooleanSupplier stop = () -> {
                clock.advance(1);
                return looks.incrementAndGet() > 40;
            };
            TaskResult result =
                    w.process(FaultPlan.none()).copier(1, stop, limits).copy(task);
            sum = sum.plus(result.counters());
            done = result.left().isEmpty();
            task = done ? task : result.left().getFirst();
        }
        assertThat(workers).isGreaterThan(1);
        assertThat(sum.unreadable()).isEmpty();
        assertThat(sum.objectsCopied()).isEqualTo(4);
        assertThat(sum.parts()).isPositive();
        assertTruth(w, "slow");
    }

    /** Each would take the time of a worker that has the others too. */
    @Test
    void several_slow_objects_in_one_task_are_copied_one_after_another() throws Exception {
        World w = fresh();
        w.maxObjectBytes = 1 << 20;
        for (String key : List.of("2021/60", "2021/61", "2021/62")) {
            w.put(key, 10 * RECORDS);
            w.source.put(key, gzip(w.source.bytes(key)));
        }
        AtomicInteger looks = new AtomicInteger();
        SourceTask task = ALL;
        long objects = 0;
        int idle = 0;
        for (boolean done = false; !done; ) {
            looks.set(0);
            BooleanSupplier stop = () -> {
                clock.advance(1);
                return looks.incrementAndGet() > 12;
            };
            TaskResult result = w.process(FaultPlan.none())
                    .copier(1, stop, new PartLimits(Long.MAX_VALUE, 1_000_000, 3))
                    .copy(task);
            objects += result.counters().objectsCopied();
            assertThat(result.counters().unreadable()).isEmpty();
            idle = result.counters().commits() + result.counters().parts() > 0 ? 0 : idle + 1;
            assertThat(idle).as("rounds that achieve nothing").isLessThan(3);
            done = result.left().isEmpty();
            task = done ? task : result.left().getFirst();
        }
        assertThat(objects).isEqualTo(3);
        assertTruth(w, "slow ones");
    }

    @Test
    void with_limits_for_machines_that_are_not_killed_no_object_takes_too_long() throws Exception {
        World w = world(true);
        BooleanSupplier slow = () -> {
            clock.advance(86_400_000L);
            return false;
        };
        CopyCounters c = work(w, FaultPlan.none(), slow, PartLimits.NONE).counters();
        assertThat(c.parts()).isZero();
        assertThat(c.objectsCopied()).isEqualTo(3);
    }

    /** One array has no place inside where a part could end. */
    @Test
    void what_cannot_be_cut_in_a_workers_time_is_reported_as_too_large() throws Exception {
        World w = fresh();
        String record = "{\"event_type\":\"e\",\"tenant_id\":\"t\",\"time\":\"2021-10-01T00:00:00Z\",\"x\":\"%s\"}"
                .formatted("x".repeat(1 << 20));
        String array = "[" + (record + ",").repeat(39) + record + "]";
        w.source.put("big", array.getBytes(StandardCharsets.UTF_8));
        AtomicInteger asked = new AtomicInteger();
        BooleanSupplier stop = () -> {
            clock.advance(1);
            return asked.incrementAndGet() > 8;
        };
        TaskResult left = work(w, FaultPlan.none(), stop, new PartLimits(200_000, 100_000, Long.MAX_VALUE));
        assertThat(left.left()).hasSize(1);
        asked.set(0);
        CopyCounters c = work(w, FaultPlan.none(), stop, new PartLimits(200_000, 100_000, 5))
                .counters();
        assertThat(c.unreadable()).containsExactly(java.util.Map.entry("too_large_for_worker", 1L));
        assertThat(c.examples().getFirst().key()).isEqualTo("big");
        assertThat(count(w, CommitState.UPLOADING)).isZero();
    }

    @Test
    void thirty_megabytes_pass_through_more_than_ten_commits() throws Exception {
        World w = fresh();
        w.maxObjectBytes = 8 << 20;
        w.put("big", 350_000);
        assertThat(w.source.bytes("big").length).isGreaterThan(27_000_000);
        PartLimits parts = new PartLimits(1 << 20, 2_300_000, Long.MAX_VALUE);
        TaskResult result = work(w, FaultPlan.none(), () -> false, parts);
        assertThat(result.counters().objectsCopied()).isEqualTo(1);
        assertThat(count(w, CommitState.COMMITTED)).isBetween(11L, 16L);
        assertTruth(w, "30 MB");
    }
}
