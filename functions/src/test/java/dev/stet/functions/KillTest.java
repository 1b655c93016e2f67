package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.StateMachines;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Workers in JVMs of their own are killed at random moments of a run; {@code scripts/kill-workers} does it more often. */
final class KillTest {
    private static final int KILLS = Integer.getInteger("stet.kills", 3);
    private static final int OBJECTS = Integer.getInteger("stet.objects", 600);
    private static final long SEED = Long.getLong("stet.seed", 1);
    /** Copied in parts, see {@link Cloud#environment}. */
    private static final int LARGE = 24 << 20;

    /** Where there are many kills, every function of the two definitions runs in JVMs of its own. */
    private static final Map<String, Class<?>> OTHERS = KILLS < 10
            ? Map.of()
            : Map.of(
                    "plan", PlanHandler.class,
                    "next-round", NextRoundHandler.class,
                    "finish-run", FinishRunHandler.class,
                    "plan-compaction", PlanCompactionHandler.class,
                    "finish-compaction", FinishCompactionHandler.class);

    private static final int MAX_RUNS = 30;

    @Test
    void whateverIsKilledTheSinkHoldsTheGroundTruth() throws Exception {
        try (Cloud cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
                WorkerPool pool = new WorkerPool(cloud.inProcess(), cloud.environment())
                        .with("copy", CopyHandler.class, 2)
                        .with("compact", CompactHandler.class, 1)) {
            Archive archive = Archive.of(SEED, OBJECTS, 2_000).write(cloud::put);
            archive.add(Archive.of(SEED, OBJECTS + 1, LARGE).only(OBJECTS).write(cloud::put));
            for (Map.Entry<String, Class<?>> other : OTHERS.entrySet()) {
                var _ = pool.with(other.getKey(), other.getValue(), 1);
            }
            var machines = cloud.machines(pool);
            AtomicBoolean on = new AtomicBoolean(true);
            Thread killer = Thread.ofPlatform().daemon().start(() -> kill(pool, on));
            Run run = cloud.start();
            Execution.Result end = await(cloud, machines, run);
            for (int i = 0; i < MAX_RUNS && cloud.registry().find(run.runId()).status() == RunStatus.FAILED; i++) {
                run = cloud.start();
                end = await(cloud, machines, run);
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

    /** As the rule of the service, ends a run whose execution could not. */
    private static Execution.Result await(Cloud cloud, StateMachines machines, Run run) throws Exception {
        Execution.Result end = cloud.execute(machines, run).await();
        if (!cloud.registry().find(run.runId()).status().ended()) {
            JsonNode _ = cloud.inProcess()
                    .invoke("finish-run", EventFiles.read("finish-run-execution-status.json", "RUN_ID", run.runId()));
        }
        return end;
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
