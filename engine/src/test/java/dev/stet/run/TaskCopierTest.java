package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stet.copy.CopyTask;
import dev.stet.copy.TodoObject;
import dev.stet.faults.FaultPlan;
import dev.stet.faults.FaultPlan.Fault;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Fingerprint;
import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.ManualClock;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectInfo;
import dev.stet.task.CopyCounters;
import dev.stet.task.Deadline;
import dev.stet.task.SourceTask;
import dev.stet.task.TaskCopier;
import dev.stet.task.TaskResult;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A fan-out's copy workers: ranges and lists of keys, cut short by deadlines, handed out twice, killed. */
class TaskCopierTest {
    private static final List<SourceTask> RANGES = List.of(
            new SourceTask.Range(new KeyRange("", Optional.of("2021/02"))),
            new SourceTask.Range(new KeyRange("2021/02", Optional.of("2021/065"))),
            new SourceTask.Range(new KeyRange("2021/065", Optional.empty())));

    private final ManualClock clock = new ManualClock();
    private final World world = new World(new InMemoryLedger(clock), clock);

    private TaskCopier copier() {
        return world.process(FaultPlan.none()).copier(2, () -> false);
    }

    private static BooleanSupplier after(int questions) {
        AtomicInteger left = new AtomicInteger(questions);
        return () -> left.decrementAndGet() < 0;
    }

    /** Lands everything and compares it with the truth. */
    private void assertTruth() throws IOException {
        World.Process process = world.process(FaultPlan.none());
        process.recover();
        process.land();
        assertThat(world.landed()).isEqualTo(world.truth());
        assertThat(world.quarantineLines()).isEqualTo(1);
        assertThat(world.staging.keys()).noneMatch(k -> k.startsWith("bundles/"));
        assertThat(world.staging.uploads()).isZero();
    }

    @Test
    void ranges_that_cover_the_source_copy_all_of_it() throws Exception {
        world.putArchive();
        CopyCounters sum = CopyCounters.NONE;
        for (SourceTask task : RANGES) {
            TaskResult result = copier().copy(task);
            assertThat(result.left()).isEmpty();
            sum = sum.plus(result.counters());
        }
        assertThat(sum.objectsCopied()).isEqualTo(11);
        assertThat(sum.objectsSkipped()).isEqualTo(1);
        assertThat(sum.quarantined()).containsExactly(java.util.Map.entry("invalid_json", 1L));
        assertThat(sum.records().count())
                .isEqualTo(world.truth().values().stream()
                        .mapToLong(d -> d.count())
                        .sum());
        assertTruth();
    }

    @Test
    void a_task_worked_on_again_copies_nothing_more() throws Exception {
        world.putArchive();
        copier().copy(RANGES.get(1));
        CopyCounters again = copier().copy(RANGES.get(1)).counters();
        assertThat(again.objectsCopied()).isZero();
        assertThat(again.bytesRead()).isZero();
        assertThat(again.objectsSkipped()).isEqualTo(4);
    }

    @Test
    void a_range_nobody_has_worked_in_gets_a_page_of_its_own() throws Exception {
        world.putArchive();
        copier().copy(RANGES.get(1));
        assertThat(world.ledger.pageAfter("2021/02").after()).isEqualTo("2021/02");
    }

    @Test
    void whenever_a_worker_is_told_to_stop_what_it_leaves_is_all_that_is_missing() throws Exception {
        for (int questions = 0; questions < 120; questions += 3) {
            World w = new World(new InMemoryLedger(clock), clock);
            w.putArchive();
            SourceTask all = new SourceTask.Range(KeyRange.ALL);
            TaskResult first =
                    w.process(FaultPlan.none()).copier(2, after(questions)).copy(all);
            CopyCounters sum = first.counters();
            for (SourceTask left : first.left()) {
                TaskResult rest =
                        w.process(FaultPlan.none()).copier(2, () -> false).copy(left);
                assertThat(rest.left()).isEmpty();
                sum = sum.plus(rest.counters());
            }
            assertThat(sum.objectsCopied())
                    .as("stopped at question " + questions)
                    .isEqualTo(11);
            w.process(FaultPlan.none()).land();
            assertThat(w.landed()).as("stopped at question " + questions).isEqualTo(w.truth());
        }
    }

    /** Some objects were copied before, by notifications for instance. */
    @Test
    void whenever_it_stops_among_copied_objects_what_it_leaves_is_all_that_is_missing() throws Exception {
        for (int questions = 0; questions < 60; questions++) {
            World w = new World(new InMemoryLedger(clock), clock);
            w.putArchive();
            Random random = new Random(questions);
            List<String> copied =
                    w.source.keys().stream().filter(k -> random.nextInt(3) > 0).toList();
            long before = w.process(FaultPlan.none())
                    .copier(2, () -> false)
                    .copy(new SourceTask.Objects(copied))
                    .counters()
                    .objectsCopied();
            SourceTask all = new SourceTask.Range(KeyRange.ALL);
            TaskResult first =
                    w.process(FaultPlan.none()).copier(1, after(questions)).copy(all);
            long sum = before + first.counters().objectsCopied();
            for (SourceTask left : first.left()) {
                TaskResult rest =
                        w.process(FaultPlan.none()).copier(2, () -> false).copy(left);
                assertThat(rest.left()).isEmpty();
                sum += rest.counters().objectsCopied();
            }
            assertThat(sum).as("stopped at question " + questions).isEqualTo(11);
            w.process(FaultPlan.none()).land();
            assertThat(w.landed()).as("stopped at question " + questions).isEqualTo(w.truth());
        }
    }

    @Test
    void workers_with_little_time_get_through_what_is_copied_one_after_another() throws Exception {
        for (int i = 0; i < 50; i++) {
            world.put("2021/%02d".formatted(i), 2);
        }
        world.process(FaultPlan.none()).copy();
        List<SourceTask> todo = List.of(new SourceTask.Range(KeyRange.ALL));
        long skipped = 0;
        int workers = 0;
        while (!todo.isEmpty()) {
            TaskResult result =
                    world.process(FaultPlan.none()).copier(1, after(7)).copy(todo.getFirst());
            assertThat(result.left()).isNotEqualTo(todo);
            assertThat(result.counters().objectsCopied()).isZero();
            skipped += result.counters().objectsSkipped();
            todo = result.left();
            workers++;
        }
        assertThat(skipped).as("each object looked at by one worker").isEqualTo(50);
        assertThat(workers).as("7 objects each").isEqualTo(8);
    }

    @Test
    void an_object_that_is_always_left_leaves_the_task_as_it_was_whatever_is_skipped_behind_it() throws Exception {
        world.put("2021/00", 2);
        world.put("2021/01", 6_000);
        for (int i = 2; i < 20; i++) {
            world.put("2021/%02d".formatted(i), 2);
        }
        List<String> others = new ArrayList<>(world.source.keys());
        others.remove("2021/01");
        copier().copy(new SourceTask.Objects(others));
        SourceTask all = new SourceTask.Range(KeyRange.ALL);
        SourceTask fromThere = new SourceTask.Range(new KeyRange("2021/00", Optional.empty()));
        for (SourceTask task : List.of(all, fromThere, fromThere)) {
            // Time enough for the listing, none for an object of some 600 KB.
            AtomicInteger asked = new AtomicInteger();
            BooleanSupplier stop =
                    () -> Thread.currentThread().getName().startsWith("copy") && asked.incrementAndGet() > 2;
            TaskResult result = world.process(FaultPlan.none()).copier(1, stop).copy(task);
            assertThat(result.left()).containsExactly(fromThere);
            assertThat(result.counters().objectsSkipped()).isGreaterThanOrEqualTo(18);
        }
    }

    @Test
    void a_worker_told_to_stop_at_once_leaves_its_task_as_it_was() throws Exception {
        world.putArchive();
        for (SourceTask task : List.of(RANGES.get(1), new SourceTask.Objects(List.of("2021/03", "2021/04")))) {
            TaskResult result =
                    world.process(FaultPlan.none()).copier(2, () -> true).copy(task);
            assertThat(result.left()).containsExactly(task);
            assertThat(result.counters()).isEqualTo(CopyCounters.NONE);
        }
        assertThat(world.staging.keys()).isEmpty();
    }

    @Test
    void objects_are_copied_by_key_in_the_version_they_have_now() throws Exception {
        world.putArchive();
        copier().copy(new SourceTask.Objects(List.of("2021/00", "2021/01")));
        CopyCounters c = copier().copy(new SourceTask.Objects(
                        List.of("2021/05", "2021/01", "2021/gone", "2021/05", "2021/90", "2021/91")))
                .counters();
        assertThat(c.objectsCopied()).isEqualTo(2);
        assertThat(c.objectsGone()).isEqualTo(1);
        assertThat(c.objectsSkipped()).isEqualTo(2);
        assertThat(c.unreadable()).isEmpty();
        copier().copy(new SourceTask.Range(KeyRange.ALL));
        assertTruth();
    }

    @Test
    void a_thousand_keys_of_one_page_are_one_commit() throws Exception {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            world.put("2022/" + i, 2);
            keys.add("2022/" + i);
        }
        TaskResult result = copier().copy(new SourceTask.Objects(keys));
        // As many as a commit may hold here: three.
        assertThat(result.counters().commits()).isEqualTo(2);
    }

    @Test
    void tasks_handed_out_twice_at_once_copy_each_object_once() throws Exception {
        for (int round = 0; round < 20; round++) {
            World w = new World(new InMemoryLedger(clock), clock);
            w.putArchive();
            List<SourceTask> tasks = new ArrayList<>(RANGES);
            tasks.addAll(RANGES);
            tasks.add(new SourceTask.Objects(List.of("2021/00", "2021/03", "2021/09", "2021/90")));
            List<Callable<TaskResult>> workers = tasks.stream()
                    .<Callable<TaskResult>>map(t -> () ->
                            w.process(FaultPlan.none()).copier(2, () -> false).copy(t))
                    .toList();
            CopyCounters sum = CopyCounters.NONE;
            try (ExecutorService pool = Executors.newFixedThreadPool(workers.size())) {
                for (Future<TaskResult> f : pool.invokeAll(workers)) {
                    sum = sum.plus(f.get().counters());
                }
            }
            assertThat(sum.objectsCopied()).as("round " + round).isEqualTo(11);
            w.process(FaultPlan.none()).run();
            assertThat(w.landed()).as("round " + round).isEqualTo(w.truth());
        }
    }

    @Test
    void a_worker_killed_at_any_call_is_made_good_by_the_next_round() throws Exception {
        for (Fault fault : List.of(Fault.FAIL, Fault.LOSE, Fault.DELAY)) {
            for (long n = 1; ; n++) {
                World w = new World(new InMemoryLedger(clock), clock);
                w.putArchive();
                FaultPlan plan = FaultPlan.crashAt(n, fault);
                Queue<SourceTask> round = new ArrayDeque<>(RANGES);
                try {
                    w.process(plan).copier(1, () -> false).copy(RANGES.get(1));
                } catch (IOException e) {
                    // The next round has the task again.
                }
                for (SourceTask task : round) {
                    w.process(FaultPlan.none()).copier(2, () -> false).copy(task);
                }
                List<Object> _ = plan.deliver();
                w.process(FaultPlan.none()).run();
                assertThat(w.landed())
                        .as(fault + " at call " + n + " of " + plan.log())
                        .isEqualTo(w.truth());
                if (plan.calls() < n) {
                    break;
                }
            }
        }
    }

    /** A listing may be older than the page it is held against: the object was replaced, and another worker was faster. */
    @Test
    void a_version_committed_after_the_listing_was_made_is_not_copied_again() throws Exception {
        world.put("k", 3);
        copier().copy(new SourceTask.Range(KeyRange.ALL));
        world.put("k", 5);
        ObjectInfo listed = world.source.head("k").orElseThrow();
        world.put("k", 7);
        copier().copy(new SourceTask.Range(KeyRange.ALL));
        OptionalLong before = world.ledger.pageOf("k").entries().identityOf(Fingerprint.ofKey("k"));
        World.Process slow = world.process(FaultPlan.none());
        assertThat(slow.worker().work(CopyTask.of(List.of(new TodoObject(listed, before)))))
                .isEmpty();
        assertThat(slow.counters().objectsCopied()).isZero();
        world.ledger.forEach(CommitState.UPLOADING, u -> assertThat(u).isNull());
    }

    @Test
    void the_line_form_of_a_task_is_read_back() {
        List<SourceTask> tasks = List.of(
                new SourceTask.Range(KeyRange.ALL),
                new SourceTask.Range(new KeyRange("a \"b\"\n\\", Optional.of("ü/\u2028\ud83d\ude00"))),
                new SourceTask.Objects(List.of("b", "a", "a")),
                new SourceTask.Objects(List.of()));
        for (SourceTask task : tasks) {
            assertThat(task.toLine()).doesNotContain("\n");
            assertThat(SourceTask.ofLine(task.toLine())).isEqualTo(task);
        }
        assertThat(RANGES.getFirst().toLine()).isEqualTo("{\"after\":\"\",\"up_to\":\"2021/02\"}");
        for (String no : List.of("", "{}", "[1]", "{\"after\":1}", "{\"keys\":\"a\"}")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SourceTask.ofLine(no))
                    .withMessageContaining("not a task");
        }
    }

    @Test
    void a_deadline_comes_its_margin_before_the_worker_is_killed() {
        Deadline deadline = Deadline.in(clock, 900_000, 60_000);
        clock.advance(839_999);
        assertThat(deadline.getAsBoolean()).isFalse();
        clock.advance(1);
        assertThat(deadline.getAsBoolean()).isTrue();
        assertThat(Deadline.in(clock, 10, 60_000).getAsBoolean()).isTrue();
    }
}
