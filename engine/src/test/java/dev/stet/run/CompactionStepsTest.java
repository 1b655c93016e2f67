package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.compact.CompactionSteps;
import dev.stet.compact.CompactionSteps.Finish;
import dev.stet.compact.CompactionSteps.Plan;
import dev.stet.compact.LandingStoppedException;
import dev.stet.compact.TaskLimits;
import dev.stet.faults.FaultPlan;
import dev.stet.faults.FaultPlan.Fault;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Compaction;
import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.ManualClock;
import dev.stet.stage.TaskItem;
import dev.stet.store.InMemoryStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A compaction in steps: planned once, landed by anyone in any order and number, finished when all is there. */
class CompactionStepsTest {
    /** So small that paths with several outputs are cut in their middle. */
    private static final TaskLimits SMALL = new TaskLimits(1 << 20, 2, 1_000);

    private static final long EIGHT_DAYS = 8 * 86_400_000L;

    private final ManualClock clock = new ManualClock();
    private final AtomicInteger names = new AtomicInteger();
    private final World world = archive();

    private World archive() {
        // Ids of commits sort by time, and plans by ids: two worlds are alike only if no two commits begin at once.
        World w = new World(new InMemoryLedger(clock), new TickingClock(clock));
        w.putArchive();
        w.put("2021/95", 40);
        return w;
    }

    private static World.Process process(World w) {
        return w.process(FaultPlan.none());
    }

    private String name() {
        return "p" + names.incrementAndGet();
    }

    private static List<TaskItem> items(World w, String key) {
        return new String(w.staging.bytes(key), StandardCharsets.UTF_8)
                .lines()
                .map(TaskItem::ofLine)
                .toList();
    }

    /** What a state machine does. */
    private void runSteps(World w, World.Process p, TaskLimits limits) throws IOException {
        CompactionSteps steps = p.steps(limits, () -> false);
        Optional<Plan> plan = steps.plan(name());
        while (plan.isPresent()) {
            for (TaskItem item : items(w, plan.get().itemsKey())) {
                steps.land(plan.get(), item, false, bytes -> {});
            }
            assertThat(steps.finish(plan.get(), name())).isInstanceOf(Finish.Done.class);
            plan = steps.plan(name());
        }
    }

    private static Map<String, String> sink(World w) {
        Map<String, String> all = new TreeMap<>();
        w.sink.keys().forEach(k -> all.put(k, new String(w.sink.bytes(k), StandardCharsets.UTF_8)));
        return all;
    }

    private void assertTruth(World w, String story) throws IOException {
        assertThat(w.landed()).as(story).isEqualTo(w.truth());
        assertThat(w.quarantineLines()).as(story).isEqualTo(1);
        process(w).sweeper().sweep();
        assertThat(w.staging.keys()).as(story).noneMatch(k -> k.startsWith("bundles/") || k.startsWith("plans/"));
        assertThat(w.staging.uploadKeys()).as(story).noneMatch(k -> k.startsWith("bundles/") || k.startsWith("plans/"));
        assertThat(w.sink.uploadKeys()).as(story).isEmpty();
        assertThat(w.ledger.latestCompaction().orElseThrow().done()).as(story).isTrue();
        w.ledger.forEach(CommitState.COMMITTED, c -> assertThat(c).as(story).isNull());
    }

    @Test
    void steps_land_the_very_objects_that_one_process_lands_however_tasks_are_cut() throws Exception {
        process(world).copy();
        process(world).land();
        for (TaskLimits limits :
                List.of(SMALL, new TaskLimits(1, 100, 1_000), new TaskLimits(1 << 20, 100, 3), TaskLimits.WORKERS)) {
            World w = archive();
            process(w).copy();
            runSteps(w, process(w), limits);
            assertThat(sink(w)).as(limits.toString()).isEqualTo(sink(world));
            assertTruth(w, limits.toString());
        }
    }

    private static long commits(World w) throws IOException {
        AtomicLong n = new AtomicLong();
        w.ledger.forEach(CommitState.COMMITTED, c -> n.incrementAndGet());
        return n.get();
    }

    @Test
    void what_is_too_much_for_one_generation_lands_in_several() throws Exception {
        world.maxCommits = 2;
        process(world).copy();
        long commits = commits(world);
        assertThat(commits).isGreaterThan(4);
        runSteps(world, process(world), SMALL);
        assertThat(world.ledger.latestCompaction().orElseThrow().generation()).isEqualTo((commits + 1) / 2);
        assertTruth(world, "steps");

        World whole = archive();
        whole.maxCommits = 2;
        process(whole).copy();
        process(whole).land();
        assertThat(whole.ledger.latestCompaction().orElseThrow().generation()).isEqualTo((commits + 1) / 2);
        assertTruth(whole, "one process");
    }

    @Test
    void a_generation_that_takes_some_takes_those_of_the_earliest_days() throws Exception {
        World w = new World(new InMemoryLedger(clock), new TickingClock(clock));
        // Days by the length of the key: of each pair the second is the earlier one.
        for (int i = 0; i < 4; i++) {
            w.put("%d/%s".formatted(i, i % 2 == 0 ? "odd" : "even"), 1);
            process(w).copy();
        }
        List<Long> days = new ArrayList<>();
        w.ledger.forEach(
                CommitState.COMMITTED,
                c -> days.add(c.details().orElseThrow().timePartitions().getFirst()));
        assertThat(days.stream().distinct().count()).isEqualTo(2);
        w.maxCommits = 2;
        Plan plan = process(w).steps(SMALL, () -> false).plan(name()).orElseThrow();
        CompactionSteps steps = process(w).steps(SMALL, () -> false);
        for (TaskItem item : items(w, plan.itemsKey())) {
            steps.land(plan, item, false, bytes -> {});
        }
        assertThat(steps.finish(plan, name())).isInstanceOf(Finish.Done.class);
        List<Long> left = new ArrayList<>();
        w.ledger.forEach(
                CommitState.COMMITTED,
                c -> left.add(c.details().orElseThrow().timePartitions().getFirst()));
        long latest = days.stream().mapToLong(d -> d).max().orElseThrow();
        assertThat(left).containsExactly(latest, latest);
    }

    @Test
    void indexes_read_ahead_give_the_same_plan() throws Exception {
        process(world).copy();
        process(world).land();
        World w = archive();
        w.reads = 8;
        process(w).copy();
        runSteps(w, process(w), SMALL);
        assertThat(sink(w)).isEqualTo(sink(world));
        assertTruth(w, "read ahead");
    }

    @Test
    void long_spans_and_the_lines_that_name_them_come_out_alike() throws Exception {
        List<World> worlds = List.of(world, archive());
        for (World w : worlds) {
            for (int i = 0; i < 6; i++) {
                w.source.put("2022/" + i, ("{" + "x".repeat(70_000 + i) + "\n").getBytes(StandardCharsets.UTF_8));
            }
            process(w).copy();
        }
        process(world).land();
        runSteps(worlds.get(1), process(worlds.get(1)), new TaskLimits(1 << 20, 1, 1_000));
        assertThat(sink(world).keySet()).anyMatch(k -> k.endsWith(".raw"));
        assertThat(sink(worlds.get(1))).isEqualTo(sink(world));
    }

    @Test
    void a_plan_counts_what_it_lands_and_its_items_are_small() throws Exception {
        process(world).copy();
        Plan plan = process(world).steps(SMALL, () -> false).plan("a").orElseThrow();
        List<TaskItem> items = items(world, plan.itemsKey());
        assertThat(plan.generation()).isEqualTo(1);
        assertThat(plan.tasks()).isEqualTo(items.size()).isGreaterThan(5);
        assertThat(world.staging.bytes(plan.itemsKey()).length).isLessThan(items.size() * 120);
        process(world).land();
        assertThat(plan.outputs()).isEqualTo(world.sink.keys().size());
        assertThat(plan.bytes())
                .isEqualTo(world.sink.keys().stream()
                        .mapToLong(k -> world.sink.bytes(k).length)
                        .sum());
    }

    @Test
    void nothing_committed_gives_no_plan() throws Exception {
        assertThat(process(world).steps(SMALL, () -> false).plan("a")).isEmpty();
        assertThat(world.staging.keys()).isEmpty();
    }

    @Test
    void tasks_land_in_any_order_twice_at_once_and_late() throws Exception {
        process(world).copy();
        CompactionSteps steps = process(world).steps(SMALL, () -> false);
        Plan plan = steps.plan("a").orElseThrow();
        List<TaskItem> items = new ArrayList<>(items(world, plan.itemsKey()));
        items.addAll(items(world, plan.itemsKey()));
        Collections.shuffle(items, new Random(1));
        AtomicLong landed = new AtomicLong();
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            List<Callable<Boolean>> calls = new ArrayList<>();
            for (TaskItem item : items) {
                calls.add(() -> {
                    steps.land(plan, item, calls.size() % 2 == 0, bytes -> landed.incrementAndGet());
                    return true;
                });
            }
            for (Future<Boolean> f : pool.invokeAll(calls)) {
                f.get();
            }
        }
        assertThat(landed.get()).isGreaterThanOrEqualTo(plan.outputs());
        assertThat(steps.finish(plan, "f")).isInstanceOf(Finish.Done.class);
        assertTruth(world, "twice");
        // Everything of the plan is swept by now.
        steps.land(plan, items.getFirst(), false, bytes -> {});
        assertThat(steps.finish(plan, "g")).isInstanceOf(Finish.Done.class);
        assertTruth(world, "late");
    }

    @Test
    void what_was_not_landed_is_handed_out_again_and_nothing_is_retired_before() throws Exception {
        process(world).copy();
        CompactionSteps steps = process(world).steps(SMALL, () -> false);
        Plan plan = steps.plan("a").orElseThrow();
        List<TaskItem> items = items(world, plan.itemsKey());
        for (int i = 0; i < items.size(); i++) {
            if (i % 3 == 1) {
                steps.land(plan, items.get(i), false, bytes -> {});
            }
        }
        Finish.Missing missing = (Finish.Missing) steps.finish(plan, "f");
        assertThat(missing.tasks()).isEqualTo(items.size() - (items.size() + 1) / 3);
        world.ledger.forEach(CommitState.RETIRED, c -> assertThat(c).isNull());
        assertThat(world.ledger.latestCompaction()).map(Compaction::done).contains(false);
        for (TaskItem item : items(world, missing.itemsKey())) {
            steps.land(plan, item, true, bytes -> {});
        }
        assertThat(steps.finish(plan, "g")).isInstanceOf(Finish.Done.class);
        assertTruth(world, "missing");
    }

    @Test
    void a_task_told_to_stop_goes_on_where_it_was() throws Exception {
        process(world).copy();
        Plan plan =
                process(world).steps(TaskLimits.WORKERS, () -> false).plan("a").orElseThrow();
        List<TaskItem> items = items(world, plan.itemsKey());
        AtomicLong landed = new AtomicLong();
        for (TaskItem item : items) {
            boolean done = false;
            while (!done) {
                AtomicInteger objects = new AtomicInteger();
                try {
                    process(world)
                            .steps(TaskLimits.WORKERS, () -> objects.get() == 2)
                            .land(plan, item, true, bytes -> {
                                landed.incrementAndGet();
                                objects.incrementAndGet();
                            });
                    done = true;
                } catch (LandingStoppedException e) {
                    assertThat(objects.get()).isEqualTo(2);
                }
            }
        }
        assertThat(landed.get()).isEqualTo(plan.outputs());
        assertThat(process(world).steps(SMALL, () -> false).finish(plan, "f")).isInstanceOf(Finish.Done.class);
        assertTruth(world, "stopped");
    }

    @Test
    void a_task_reads_one_range_of_each_run_it_needs() throws Exception {
        process(world).copy();
        Plan plan = process(world)
                .steps(new TaskLimits(1 << 20, 4, 1_000), () -> false)
                .plan("a")
                .orElseThrow();
        for (TaskItem item : items(world, plan.itemsKey())) {
            int runs = item.read(world.staging).split("\"ranges\":\\[", -1)[1].split(",", -1).length / 4;
            FaultPlan calls = FaultPlan.none();
            world.process(calls).steps(SMALL, () -> false).land(plan, item, false, bytes -> {});
            assertThat(calls.log())
                    .filteredOn(c -> c.startsWith("read bundles/"))
                    .hasSizeBetween(1, 2 * runs);
        }
    }

    @Test
    void schedules_at_once_land_everything_once() throws Exception {
        for (int round = 0; round < 30; round++) {
            World w = archive();
            process(w).copy();
            int schedules = 3;
            CountDownLatch start = new CountDownLatch(1);
            try (ExecutorService pool = Executors.newFixedThreadPool(schedules)) {
                List<Future<Boolean>> all = new ArrayList<>();
                for (int i = 0; i < schedules; i++) {
                    boolean embedded = i == 2;
                    all.add(pool.submit(() -> {
                        start.await();
                        if (embedded) {
                            process(w).land();
                        } else {
                            CompactionSteps steps = process(w).steps(SMALL, () -> false);
                            Optional<Plan> plan = steps.plan(name());
                            if (plan.isPresent()) {
                                scheduled(w, steps, plan.get());
                            }
                        }
                        return true;
                    }));
                }
                start.countDown();
                for (Future<Boolean> f : all) {
                    f.get();
                }
            }
            process(w).land();
            assertTruth(w, "round " + round);
        }
    }

    /** The plan's files may be swept by the one that was faster. */
    private void scheduled(World w, CompactionSteps steps, Plan plan) throws IOException {
        List<TaskItem> items;
        try {
            items = items(w, plan.itemsKey());
        } catch (AssertionError swept) {
            assertThat(w.ledger.latestCompaction().orElseThrow().done()).isTrue();
            return;
        }
        do {
            for (TaskItem item : items) {
                steps.land(plan, item, false, bytes -> {});
            }
        } while (steps.finish(plan, name()) instanceof Finish.Missing);
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL", "LOSE", "DELAY"})
    void killed_at_any_call_of_any_step_the_next_schedule_makes_it_good(Fault fault) throws Exception {
        for (long n = 1; ; n++) {
            World w = archive();
            process(w).copy();
            FaultPlan plan = FaultPlan.crashAt(n, fault);
            try {
                runSteps(w, w.process(plan), SMALL);
            } catch (IOException e) {
                // Killed.
            }
            String story = fault + " at call " + n + " of " + plan.log();
            boolean late = n % 2 == 0;
            if (late) {
                List<Object> _ = plan.deliver();
            }
            runSteps(w, process(w), SMALL);
            assertTruth(w, story);
            List<Object> _ = plan.deliver();
            clock.advance(EIGHT_DAYS);
            process(w).sweeper().sweep();
            assertThat(w.landed()).as("late " + story).isEqualTo(w.truth());
            if (plan.calls() < n) {
                return;
            }
        }
    }

    @Test
    void an_index_that_changed_since_it_was_planned_is_not_landed() throws Exception {
        process(world).copy();
        CompactionSteps steps = process(world).steps(TaskLimits.WORKERS, () -> false);
        Plan plan = steps.plan("a").orElseThrow();
        for (String key : world.staging.keys()) {
            if (key.startsWith("bundles/")) {
                byte[] bytes = world.staging.bytes(key);
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                // A path in an index: the record's bytes hold the tenant in another form.
                replace(world.staging, key, text.replace("p_tenant_id=t0", "p_tenant_id=t9"));
            }
        }
        for (TaskItem item : items(world, plan.itemsKey())) {
            if (item.read(world.staging).contains("\"outputs\":1,")) {
                continue;
            }
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> steps.land(plan, item, false, bytes -> {}))
                    .withMessageContaining("does not come to what was planned");
        }
        assertThat(steps.finish(plan, "f")).isInstanceOf(Finish.Missing.class);
    }

    /** Goes on with each look. */
    private static final class TickingClock extends Clock {
        private final ManualClock base;
        private final AtomicLong ticks = new AtomicLong();

        TickingClock(ManualClock base) {
            this.base = base;
        }

        @Override
        public Instant instant() {
            return base.instant().plusMillis(ticks.incrementAndGet());
        }

        @Override
        public ZoneId getZone() {
            return base.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    private static void replace(InMemoryStore store, String key, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        store.delete(key);
        try (ObjectWriter writer = store.create(key)) {
            writer.write(bytes, 0, bytes.length);
            assertThat(writer.complete(dev.stet.audit.Crc32c.of(bytes, 0, bytes.length)))
                    .isEqualTo(ObjectWriter.Outcome.CREATED);
        }
    }
}
