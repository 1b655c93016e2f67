package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.faults.FaultPlan;
import dev.stet.faults.FaultPlan.Fault;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.ManualClock;
import dev.stet.store.InMemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Design §11.5: for every n, the n-th call on either port fails, loses its answer, or arrives after another worker has redone the task; then the work is
 * rerun, and the destination must equal ground truth each time. One subclass a ledger.
 */
abstract class CrashContract {
    /** Longer than tombstones are kept. */
    private static final long EIGHT_DAYS = 8 * 86_400_000L;

    final ManualClock clock = new ManualClock();

    abstract Ledger freshLedger() throws Exception;

    private World fresh() throws Exception {
        World world = new World(freshLedger(), clock);
        world.putArchive();
        // So few that one run makes several generations.
        world.maxCommits = 3;
        return world;
    }

    /** Everything landed once, nothing left behind, and nothing more to do. */
    private void assertTruth(World world, String story) throws IOException {
        assertThat(world.landed()).as(story).isEqualTo(world.truth());
        assertThat(world.quarantineLines()).as(story).isEqualTo(1);
        assertThat(world.staging.keys()).as(story).noneMatch(k -> k.startsWith("bundles/"));
        assertThat(unfinished(world.staging)).as(story).isEmpty();
        for (CommitState state : List.of(CommitState.UPLOADING, CommitState.COMMITTED)) {
            world.ledger.forEach(state, c -> assertThat(c).as(story).isNull());
        }
        FaultPlan count = FaultPlan.none();
        World.Process again = world.process(count);
        again.run();
        assertThat(again.counters().objectsCopied()).as(story).isZero();
        assertThat(count.log()).as(story).noneMatch(call -> call.startsWith("source open"));
        assertThat(world.landed()).as(story).isEqualTo(world.truth());
    }

    // An upload that is begun late on a key of the sink stays open there: nobody is left to complete it, and it could
    // not replace what lies there.

    /** The name of a compaction's header is not known to whoever comes later; stores end its unfinished write by their own rule (a small object has none). */
    private static List<String> unfinished(InMemoryStore staging) {
        return staging.uploadKeys().stream()
                .filter(k -> !k.startsWith("headers/"))
                .toList();
    }

    private long callsOfOneRun() throws Exception {
        FaultPlan count = FaultPlan.none();
        World world = fresh();
        world.process(count).run();
        assertTruth(world, "no fault");
        return count.calls();
    }

    private static boolean runs(World.Process process) {
        try {
            process.run();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL", "LOSE", "DELAY"})
    void a_process_killed_at_any_call_is_made_good_by_the_next(Fault fault) throws Exception {
        long calls = callsOfOneRun();
        assertThat(calls).isGreaterThan(100);
        for (long n = 1; n <= calls; n++) {
            World world = fresh();
            FaultPlan plan = FaultPlan.crashAt(n, fault);
            boolean _ = runs(world.process(plan));
            world.process(FaultPlan.none()).run();
            assertTruth(world, fault + " at call " + n + " of " + plan.log());
            assertThat(world.sink.uploadKeys()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL", "LOSE"})
    void a_process_that_lives_on_after_one_bad_call_loses_and_repeats_nothing(Fault fault) throws Exception {
        long calls = callsOfOneRun();
        for (long n = 1; n <= calls; n++) {
            World world = fresh();
            FaultPlan plan = FaultPlan.at(n, fault);
            if (!runs(world.process(plan))) {
                world.process(FaultPlan.none()).run();
            }
            world.process(FaultPlan.none()).run();
            assertTruth(world, fault + " at call " + n + " of " + plan.log());
        }
    }

    @Test
    void a_request_that_arrives_after_another_worker_has_redone_the_work_changes_nothing() throws Exception {
        long calls = callsOfOneRun();
        for (long n = 1; n <= calls; n++) {
            World world = fresh();
            FaultPlan plan = FaultPlan.crashAt(n, Fault.DELAY);
            boolean _ = runs(world.process(plan));
            world.process(FaultPlan.none()).run();
            List<Object> answers = plan.deliver();
            clock.advance(EIGHT_DAYS);
            world.process(FaultPlan.none()).run();
            assertTruth(world, "late call " + n + " of " + plan.log() + ", answered " + answers);
        }
    }

    @Test
    void many_faults_at_random_lose_and_repeat_nothing() throws Exception {
        for (long seed = 1; seed <= 150; seed++) {
            World world = fresh();
            SplittableRandom random = new SplittableRandom(seed);
            List<FaultPlan> plans = new ArrayList<>();
            for (int round = 0; round < 4; round++) {
                FaultPlan plan = FaultPlan.random(random.nextLong(1 << 20), 0.02);
                plans.add(plan);
                boolean _ = runs(world.process(plan));
                if (random.nextBoolean()) {
                    List<Object> _ = plan.deliver();
                }
            }
            world.process(FaultPlan.none()).run();
            plans.forEach(FaultPlan::deliver);
            clock.advance(EIGHT_DAYS);
            world.process(FaultPlan.none()).run();
            assertTruth(world, "seed " + seed);
        }
    }
}
