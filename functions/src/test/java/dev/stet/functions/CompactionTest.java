package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.Failure;
import dev.stet.asl.Functions;
import dev.stet.asl.StateMachines;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.ledger.CommitState;
import dev.stet.registry.Run;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Compactions by the schedule: when they are due, twice at once, killed after each step. */
final class CompactionTest {
    private static final Instant START = Instant.parse("2026-02-01T12:00:00Z");

    private final Map<String, byte[]> objects = new TreeMap<>();
    private final List<String> started = Collections.synchronizedList(new ArrayList<>());
    private Archive archive = Archive.of(0, 0, 0);
    private Cloud cloud;

    /** Objects are committed at {@link #START} and wait to land. */
    @BeforeEach
    void commit() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), at(0));
        archive = Archive.of(4, 40, 2_000).write(objects::put);
        objects.forEach(cloud::put);
        EventMessages messages = new EventMessages();
        objects.keySet().forEach(k -> messages.tell(cloud.devices(), "raw/" + k, "ObjectCreated:Put"));
        assertThat(EventMessages.again(cloud.inProcess().invoke("s3-event", messages.batch())))
                .isEmpty();
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private static Clock at(long seconds) {
        return Clock.fixed(START.plusSeconds(seconds), ZoneOffset.UTC);
    }

    /** The schedule comes at that time. @return the inputs of the executions that it started */
    private List<String> schedule(long seconds) throws Exception {
        started.clear();
        JsonNode _ = new InProcess()
                .with(
                        "compaction-schedule",
                        new CompactionScheduleHandler(
                                cloud.wiring(at(seconds)), _ -> (machine, input) -> started.add(input)))
                .invoke("compaction-schedule", EventFiles.read("schedule.json"));
        return List.copyOf(started);
    }

    private Execution compaction(StateMachines machines, String name) throws Exception {
        ObjectNode input = EventFiles.read("plan-compaction-schedule.json", "PIPELINE", Cloud.PIPELINE);
        return machines.start("compact", name, input);
    }

    private void requireLanded() throws Exception {
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
        assertThat(cloud.commits(cloud.site(), CommitState.COMMITTED)).isEmpty();
        assertThat(cloud.site().ledger().latestCompaction().orElseThrow().done())
                .isTrue();
        cloud.requireNoGarbage();
    }

    @Test
    void nothingIsDueASecondBeforeTheDayIsOver() throws Exception {
        assertThat(schedule(86_399)).isEmpty();
        Functions early = cloud.inProcess(cloud.wiring(at(86_399)));
        assertThat(compaction(cloud.machines(early), "early").await().status()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(cloud.site().ledger().latestCompaction()).isEmpty();

        assertThat(schedule(86_400)).containsExactly("{\"pipelineName\":\"gdpr\"}");
        Functions due = cloud.inProcess(cloud.wiring(at(86_400)));
        assertThat(compaction(cloud.machines(due), "due").await().status()).isEqualTo(Execution.Status.SUCCEEDED);
        requireLanded();
        assertThat(schedule(200_000)).as("nothing waits any more").isEmpty();
    }

    @Test
    void twoAtOnceLandEverythingOnce() throws Exception {
        StateMachines one = cloud.machines(cloud.inProcess(cloud.wiring(at(86_400))));
        StateMachines two = cloud.machines(cloud.inProcess(cloud.wiring(at(86_400))));
        Execution first = compaction(one, "first");
        Execution second = compaction(two, "second");
        assertThat(first.await().status()).as(first.await().cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(second.await().status()).as(second.await().cause()).isEqualTo(Execution.Status.SUCCEEDED);
        requireLanded();
    }

    private Archive more() throws Exception {
        Archive more = Archive.of(4, 50, 2_000);
        Map<String, byte[]> all = new TreeMap<>();
        archive = more.write(all::put);
        all.keySet().removeAll(objects.keySet());
        assertThat(all).hasSize(10);
        all.forEach(cloud::put);
        return more;
    }

    /** Somebody else's generation is open when a run comes to its landing: the run ends when its own records are landed too. */
    @Test
    void aRunThatMeetsAnOpenGenerationLandsItsOwnRecordsToo() throws Exception {
        JsonNode opened = cloud.inProcess(cloud.wiring(at(86_400)))
                .invoke(
                        "plan-compaction",
                        EventFiles.read("plan-compaction-schedule.json", "PIPELINE", Cloud.PIPELINE));
        assertThat(opened.at("/round/tasks").longValue()).isPositive();
        Archive _ = more();
        Run run = cloud.start();
        Execution.Result end =
                cloud.execute(cloud.machines(cloud.inProcess()), run).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(archive.differences(cloud.sink(), 2)).isEmpty();
        assertThat(cloud.commits(cloud.site(), CommitState.COMMITTED)).isEmpty();
        assertThat(cloud.site().ledger().latestCompaction().orElseThrow().generation())
                .isEqualTo(2);
        cloud.requireNoGarbage();
    }

    /** Commits of several events, more than one generation may take. */
    @Test
    void whatIsTooMuchForOneGenerationLandsInSeveral() throws Exception {
        Archive _ = more();
        for (int i = 0; i < 4; i++) {
            EventMessages messages = new EventMessages();
            Archive one = Archive.of(20 + i, 51 + i, 2_000).only(50 + i).write((key, bytes) -> {
                cloud.put(key, bytes);
                messages.tell(cloud.devices(), "raw/" + key, "ObjectCreated:Put");
            });
            archive.add(one);
            assertThat(EventMessages.again(cloud.inProcess().invoke("s3-event", messages.batch())))
                    .isEmpty();
        }
        Functions functions = cloud.withGenerationsOf(2).inProcess(cloud.wiring(at(86_400)));
        int commits = cloud.commits(cloud.site(), CommitState.COMMITTED).size();
        assertThat(commits).isGreaterThan(4);
        Run run = cloud.start();
        Execution.Result end = cloud.execute(cloud.machines(functions), run).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(archive.differences(cloud.sink(), Integer.MAX_VALUE)).isEmpty();
        assertThat(cloud.commits(cloud.site(), CommitState.COMMITTED)).isEmpty();
        assertThat(cloud.site().ledger().latestCompaction().orElseThrow().generation())
                .isGreaterThan(commits / 2);
        assertThat(cloud.registry()
                        .find(run.runId())
                        .outcome()
                        .orElseThrow()
                        .totals()
                        .landedObjects())
                .isEqualTo(cloud.landed().size());
    }

    /** The execution is stopped after its first call, after its second and so on; each time another one goes on. */
    @Test
    void stoppedAfterEachStepAnotherOneGoesOn() throws Exception {
        Functions functions = cloud.inProcess(cloud.wiring(at(86_400)));
        int steps = 0;
        for (boolean ended = false; !ended; steps++) {
            ended = runAndStopAfter(functions, steps + 1);
            boolean done =
                    cloud.site().ledger().latestCompaction().orElseThrow().done();
            assertThat(schedule(86_400)).as("after %d steps", steps + 1).hasSize(done ? 0 : 1);
        }
        assertThat(steps).isGreaterThanOrEqualTo(3);
        requireLanded();
    }

    /** @return whether it came to its end before that */
    private boolean runAndStopAfter(Functions functions, int calls) throws Exception {
        AtomicInteger made = new AtomicInteger();
        List<Execution> running = new ArrayList<>();
        Functions stopping = new Functions() {
            @Override
            public JsonNode invoke(String name, JsonNode payload) throws Failure, InterruptedException {
                JsonNode answer = functions.invoke(name, payload);
                if (made.incrementAndGet() == calls) {
                    synchronized (running) {
                        running.getFirst().stop("test", "after " + name);
                    }
                }
                return answer;
            }
        };
        Execution execution;
        synchronized (running) {
            execution = compaction(cloud.machines(stopping), "after-" + calls);
            running.add(execution);
        }
        return execution.await().status() == Execution.Status.SUCCEEDED;
    }

    /** A worker that landed a part and died: its task is handed out again, and what is landed is found so. */
    @Test
    void aLandingTaskThatFailsIsHandedOutAgain() throws Exception {
        Functions functions = cloud.inProcess(cloud.wiring(at(86_400)));
        AtomicInteger failures = new AtomicInteger();
        Functions failing = (name, payload) -> {
            JsonNode answer = functions.invoke(name, payload);
            if (name.equals("compact") && failures.getAndIncrement() < 3) {
                throw new Failure("Runtime.ExitError", "killed after its work");
            }
            return answer;
        };
        Execution execution = compaction(cloud.machines(failing), "failing");
        assertThat(execution.await().status()).as(execution.await().cause()).isEqualTo(Execution.Status.SUCCEEDED);
        requireLanded();
    }

    @Test
    void whatCannotBeLandedEndsTheExecutionAfterAFewRounds() throws Exception {
        Functions functions = cloud.inProcess(cloud.wiring(at(86_400)));
        Functions failing = (name, payload) -> {
            if (name.equals("compact")) {
                throw new Failure("java.io.IOException", "{\"errorMessage\":\"the disk is gone\"}");
            }
            return functions.invoke(name, payload);
        };
        Execution.Result end = compaction(cloud.machines(failing), "failing").await();
        assertThat(end.error()).isEqualTo("CompactionFailed");
        assertThat(end.cause()).isEqualTo("the disk is gone");
        Execution.Result next = compaction(cloud.machines(functions), "next").await();
        assertThat(next.status()).as(next.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        requireLanded();
    }

    @Test
    void aSweepInBetweenTakesNothingThatIsNeeded() throws Exception {
        Functions functions = cloud.inProcess(cloud.wiring(at(86_400)));
        Functions sweeping = (name, payload) -> {
            JsonNode answer = functions.invoke(name, payload);
            if (!name.equals("sweep")) {
                JsonNode _ = functions.invoke("sweep", JsonMapper.shared().createObjectNode());
            }
            return answer;
        };
        Execution.Result end = compaction(cloud.machines(sweeping), "sweeping").await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        requireLanded();
    }
}
