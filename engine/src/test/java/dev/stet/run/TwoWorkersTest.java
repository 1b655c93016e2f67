package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.faults.FaultPlan;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several copies of the same work at once on one ledger, without any lock: each object counts once. */
class TwoWorkersTest {
    private final ManualClock clock = new ManualClock();

    @Test
    void listing_workers_and_compactors_at_once_copy_each_object_once() throws Exception {
        for (int round = 0; round < 200; round++) {
            World world = new World(new InMemoryLedger(clock), clock);
            world.putArchive();
            runTogether(world, 3);
            World.Process last = world.process(FaultPlan.none());
            last.recover();
            last.copy();
            assertThat(last.counters().objectsCopied()).isZero();
            last.land();
            assertThat(world.landed()).as("round " + round).isEqualTo(world.truth());
            assertThat(world.quarantineLines()).isEqualTo(1);
            assertThat(world.staging.keys()).noneMatch(k -> k.startsWith("bundles/"));
            world.ledger.forEach(CommitState.UPLOADING, c -> assertThat(c).isNull());
        }
    }

    private static void runTogether(World world, int workers) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                World.Process process = world.process(FaultPlan.none());
                all.add(pool.submit(() -> {
                    start.await();
                    process.copy();
                    process.land();
                    return true;
                }));
            }
            start.countDown();
            for (Future<?> f : all) {
                f.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
