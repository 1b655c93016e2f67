package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Workers in JVMs of their own are killed at random moments of a run; {@code scripts/kill-workers} does it more often. */
final class KillTest {
    private static final int KILLS = Integer.getInteger("stet.kills", 3);
    private static final int OBJECTS = Integer.getInteger("stet.objects", 600);
    private static final long SEED = Long.getLong("stet.seed", 1);
    /** Copied in parts, see {@link Cloud#environment}. */
    private static final int LARGE = 24 << 20;

    private static final int MAX_RUNS = 30;

    @Test
    void whateverIsKilledTheSinkHoldsTheGroundTruth() throws Exception {
        try (Cloud cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
                WorkerPool pool = new WorkerPool(cloud.inProcess(), cloud.environment())
                        .with("copy", CopyHandler.class, 2)
                        .with("compact", CompactHandler.class, 1)) {
            Archive archive = Archive.of(SEED, OBJECTS, 2_000).write(cloud::put);
            archive.add(Archive.of(SEED, OBJECTS + 1, LARGE).only(OBJECTS).write(cloud::put));
            var machines = cloud.machines(pool);
            AtomicBoolean on = new AtomicBoolean(true);
            Thread killer = Thread.ofPlatform().daemon().start(() -> kill(pool, on));
            Run run = cloud.start();
            Execution.Result end = cloud.execute(machines, run).await();
            for (int i = 0; i < MAX_RUNS && cloud.registry().find(run.runId()).status() == RunStatus.FAILED; i++) {
                run = cloud.start();
                end = cloud.execute(machines, run).await();
            }
            on.set(false);
            killer.join();
            assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
            assertThat(archive.differences(cloud.sink(), Integer.MAX_VALUE)).isEmpty();
            assertThat(pool.killed()).isPositive();
            System.out.printf("%d of %d kills, %d objects: ground truth%n", pool.killed(), KILLS, OBJECTS);
            cloud.requireNoGarbage();
        }
    }

    private static void kill(WorkerPool pool, AtomicBoolean on) {
        Random random = new Random(SEED);
        try {
            while (on.get() && pool.killed() < KILLS) {
                Thread.sleep(Duration.ofMillis(random.nextInt(2_500)));
                boolean _ = on.get() && pool.killOne(random);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
