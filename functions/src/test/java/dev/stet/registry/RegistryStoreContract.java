package dev.stet.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.registry.RegistryStore.Delete;
import dev.stet.registry.RegistryStore.Document;
import dev.stet.registry.RegistryStore.Join;
import dev.stet.registry.RegistryStore.Leave;
import dev.stet.registry.RegistryStore.Put;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the registry needs of its store, and what pipelines and runs do on it. One subclass an adapter. */
abstract class RegistryStoreContract {
    /** Names that no other test of the same store uses. */
    private final String mine = UUID.randomUUID().toString();

    private RegistryStore store;

    /** A store; other tests may have used it. */
    protected abstract RegistryStore open() throws IOException;

    /** How many callers come at once. */
    protected int crowd() {
        return 50;
    }

    @BeforeEach
    final void openStore() throws IOException {
        store = open();
    }

    @Test
    void aDocumentIsPutOnceAtVersionZero() throws IOException {
        String id = "doc#" + mine;
        assertThat(store.find(id)).isEmpty();
        assertThat(store.write(List.of(new Put(id, 0, "first")))).isTrue();
        assertThat(store.write(List.of(new Put(id, 0, "second")))).isFalse();
        assertThat(store.find(id)).contains(new Document(1, "first"));
    }

    @Test
    void aDocumentChangesOnlyAtTheVersionExpected() throws IOException {
        String id = "doc#" + mine;
        store.write(List.of(new Put(id, 0, "one")));
        assertThat(store.write(List.of(new Put(id, 1, "two")))).isTrue();
        assertThat(store.write(List.of(new Put(id, 1, "late")))).isFalse();
        assertThat(store.write(List.of(new Delete(id, 1)))).isFalse();
        assertThat(store.find(id)).contains(new Document(2, "two"));
        assertThat(store.write(List.of(new Delete(id, 2)))).isTrue();
        assertThat(store.find(id)).isEmpty();
        assertThat(store.write(List.of(new Put(id, 2, "after its end")))).isFalse();
        assertThat(store.find(id)).isEmpty();
    }

    @Test
    void aWriteHappensWholeOrNotAtAll() throws IOException {
        String set = "set#" + mine;
        store.write(List.of(new Put("there#" + mine, 0, "x")));
        assertThat(store.write(List.of(
                        new Put("new#" + mine, 0, "y"), new Join(set, "name"), new Put("there#" + mine, 0, "z"))))
                .isFalse();
        assertThat(store.find("new#" + mine)).isEmpty();
        assertThat(store.names(set, Optional.empty(), false, 10)).isEmpty();
    }

    @Test
    void namesComeInOrderAndInParts() throws IOException {
        String set = "set#" + mine;
        List<String> names = List.of("A", "Z", "a", "a-1", "a.1", "b", "z");
        for (String name : List.of("z", "a", "Z", "b", "A", "a.1", "a-1")) {
            store.write(List.of(new Put("doc#" + name + mine, 0, ""), new Join(set, name)));
        }
        assertThat(store.names(set, Optional.empty(), false, 100)).isEqualTo(names);
        assertThat(store.names(set, Optional.empty(), false, 3)).isEqualTo(names.subList(0, 3));
        assertThat(store.names(set, Optional.of("a"), false, 3)).isEqualTo(names.subList(3, 6));
        assertThat(store.names(set, Optional.of("aa"), false, 3)).isEqualTo(names.subList(5, 7));
        assertThat(store.names(set, Optional.of("z"), false, 3)).isEmpty();
        assertThat(store.names(set, Optional.empty(), true, 2)).isEqualTo(List.of("z", "b"));
        assertThat(store.names(set, Optional.of("a"), true, 5)).isEqualTo(List.of("Z", "A"));
    }

    @Test
    void joiningAndLeavingTwiceIsTheSameAsOnce() throws IOException {
        String set = "set#" + mine;
        String id = "doc#" + mine;
        assertThat(store.write(List.of(new Put(id, 0, ""), new Join(set, "n")))).isTrue();
        assertThat(store.write(List.of(new Put(id, 1, ""), new Join(set, "n")))).isTrue();
        assertThat(store.names(set, Optional.empty(), false, 9)).containsExactly("n");
        assertThat(store.write(List.of(new Put(id, 2, ""), new Leave(set, "n"))))
                .isTrue();
        assertThat(store.write(List.of(new Put(id, 3, ""), new Leave(set, "n"))))
                .isTrue();
        assertThat(store.names(set, Optional.empty(), false, 9)).isEmpty();
    }

    @Test
    void severalDocumentsAreFoundInTheOrderAskedFor() throws IOException {
        store.write(List.of(new Put("a" + mine, 0, "A")));
        store.write(List.of(new Put("b" + mine, 0, "B")));
        assertThat(store.findAll(List.of("b" + mine, "none" + mine, "a" + mine)))
                .containsExactly(
                        Optional.of(new Document(1, "B")), Optional.empty(), Optional.of(new Document(1, "A")));
    }

    @Test
    void countersAddUpOverManyAtOnce() throws Exception {
        String id = "RUN#" + mine;
        assertThat(store.sums(id)).isEmpty();
        List<Callable<Void>> adders = new ArrayList<>();
        for (int i = 1; i <= crowd(); i++) {
            long n = i;
            adders.add(() -> {
                store.add(id, Map.of("objects_copied", n, "quarantined_bad_time", 1L));
                return null;
            });
        }
        atOnce(adders);
        long sum = crowd() * (crowd() + 1L) / 2;
        assertThat(store.sums(id)).isEqualTo(Map.of("objects_copied", sum, "quarantined_bad_time", (long) crowd()));
    }

    @Test
    void ofManyChangesAtOnceEachOneCounts() throws Exception {
        String id = "doc#" + mine;
        store.write(List.of(new Put(id, 0, "0")));
        List<Callable<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            writers.add(() -> {
                boolean written = false;
                while (!written) {
                    Document seen = store.find(id).orElseThrow();
                    written = store.write(
                            List.of(new Put(id, seen.version(), Integer.toString(Integer.parseInt(seen.body()) + 1))));
                }
                return null;
            });
        }
        atOnce(writers);
        assertThat(store.find(id)).contains(new Document(9, "8"));
    }

    @Test
    void manyStartsAtOnceWithOneTokenGiveOneRun() throws Exception {
        createPipeline();
        Runs runs = new Runs(store, Clock.systemUTC());
        Optional<ClientToken> token = Optional.of(new ClientToken("StartRun", mine, "request"));
        List<Callable<String>> starts = new ArrayList<>();
        for (int i = 0; i < crowd(); i++) {
            starts.add(() -> runs.start(new Runs.Start(mine, "AKID", false, token), RegistryStoreContract::answer)
                    .answer()
                    .get("runId")
                    .asString());
        }
        List<String> answers = atOnce(starts);
        assertThat(answers).hasSize(crowd());
        assertThat(new TreeSet<>(answers)).hasSize(1);
        assertThat(runs.list(Optional.of(mine), Optional.empty(), 1000).items()).hasSize(1);
    }

    @Test
    void manyStartsAtOnceWithDifferentTokensGiveOneRunAndRefusals() throws Exception {
        createPipeline();
        Runs runs = new Runs(store, Clock.systemUTC());
        List<Callable<String>> starts = new ArrayList<>();
        for (int i = 0; i < crowd(); i++) {
            Optional<ClientToken> token = Optional.of(new ClientToken("StartRun", mine + i, "request"));
            starts.add(() -> {
                try {
                    runs.start(new Runs.Start(mine, "AKID", false, token), RegistryStoreContract::answer);
                    return "started";
                } catch (RegistryException e) {
                    return e.code().name();
                }
            });
        }
        List<String> answers = atOnce(starts);
        assertThat(answers).containsOnly("started", "PipelineBusy");
        assertThat(answers).filteredOn(a -> a.equals("started")).hasSize(1);
        assertThat(runs.list(Optional.of(mine), Optional.empty(), 1000).items()).hasSize(1);
    }

    @Test
    void aTokenUsedForAnotherRequestIsRefused() throws Exception {
        createPipeline();
        Runs runs = new Runs(store, Clock.systemUTC());
        runs.start(start(Optional.of(new ClientToken("StartRun", mine, "one"))), RegistryStoreContract::answer);
        assertThatThrownBy(() -> runs.start(
                        start(Optional.of(new ClientToken("StartRun", mine, "other"))), RegistryStoreContract::answer))
                .isInstanceOfSatisfying(
                        RegistryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ClientTokenReused));
    }

    @Test
    void aRunIsFoundCountedStoppedAndEndedOnce() throws Exception {
        createPipeline();
        Runs runs = new Runs(store, Clock.systemUTC());
        Run run = started(runs);
        assertThat(runs.find(run.runId())).contains(run);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(runs.shouldStop(run.runId())).isFalse();

        RunTotals some = new RunTotals(2, 1, 0, 40, Map.of("bad_time", 3L), 0, 900, 800, 1000);
        runs.add(run.runId(), some);
        runs.add(run.runId(), some);
        assertThat(runs.totals(run)).isEqualTo(new RunTotals(4, 2, 0, 80, Map.of("bad_time", 6L), 0, 1800, 1600, 2000));

        assertThat(runs.requestStop(run.runId()).status()).isEqualTo(RunStatus.STOPPING);
        assertThat(runs.shouldStop(run.runId())).isTrue();

        RunTotals exact = new RunTotals(4, 2, 0, 79, Map.of("bad_time", 6L), 7, 1800, 1600, 1600);
        Run ended = runs.finish(
                run.runId(),
                RunStatus.STOPPED,
                Optional.empty(),
                Optional.of(new Run.Outcome(exact, Optional.of("79:1:0"), Optional.of("s3://lake/report"))));
        assertThat(ended.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(ended.endedAt()).isPresent();
        assertThat(runs.totals(ended)).isEqualTo(exact);

        assertThat(runs.finish(run.runId(), RunStatus.FAILED, Optional.of("late"), Optional.empty()))
                .as("terminal states never change")
                .isEqualTo(ended);
        assertThat(runs.requestStop(run.runId())).isEqualTo(ended);
        assertThat(runs.setWorker(run.runId(), "late")).isEqualTo(ended);
        assertThat(runs.find(run.runId())).contains(ended);
        assertThat(started(runs).runId()).as("the pipeline is free again").isNotEqualTo(run.runId());
    }

    @Test
    void aRunKeepsThePipelineItWasStartedWith() throws Exception {
        createPipeline();
        Pipelines pipelines = new Pipelines(store, Clock.systemUTC());
        Runs runs = new Runs(store, Clock.systemUTC());
        Run run = started(runs);
        pipelines.update(mine, Optional.empty(), before -> definition("s3://elsewhere/"));
        assertThat(runs.find(run.runId()).orElseThrow().definition().sourceText())
                .isEqualTo("s3://devices/raw/");
        assertThat(pipelines.find(mine).orElseThrow().definition().sourceText()).isEqualTo("s3://elsewhere/");
        assertThat(pipelines.find(mine).orElseThrow().activeRuns()).containsExactly(run.runId());
    }

    @Test
    void runsAreListedNewestFirst() throws Exception {
        createPipeline();
        Runs runs = new Runs(store, Clock.systemUTC());
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Run run = started(runs);
            ids.addFirst(run.runId());
            runs.finish(run.runId(), RunStatus.SUCCEEDED, Optional.empty(), Optional.empty());
            Thread.sleep(2); // ids of one millisecond are in no order
        }
        Page<Run> first = runs.list(Optional.of(mine), Optional.empty(), 3);
        assertThat(first.items()).extracting(Run::runId).isEqualTo(ids.subList(0, 3));
        Page<Run> second = runs.list(Optional.of(mine), first.last(), 3);
        assertThat(second.items()).extracting(Run::runId).isEqualTo(ids.subList(3, 5));
        assertThat(second.last()).isEmpty();
    }

    @Test
    void aPipelineWithARunIsNotDeleted() throws Exception {
        createPipeline();
        Pipelines pipelines = new Pipelines(store, Clock.systemUTC());
        Runs runs = new Runs(store, Clock.systemUTC());
        Run run = started(runs);
        assertThatThrownBy(() -> pipelines.delete(mine)).hasMessageContaining(run.runId());
        runs.finish(run.runId(), RunStatus.FAILED, Optional.of("no"), Optional.empty());
        pipelines.delete(mine);
        assertThat(pipelines.find(mine)).isEmpty();
        assertThat(runs.find(run.runId())).as("its runs stay").isPresent();
    }

    private Run started(Runs runs) throws IOException, RegistryException {
        return runs.start(start(Optional.empty()), RegistryStoreContract::answer)
                .run()
                .orElseThrow();
    }

    private Runs.Start start(Optional<ClientToken> token) {
        return new Runs.Start(mine, "AKID", false, token);
    }

    private void createPipeline() throws IOException, RegistryException {
        new Pipelines(store, Clock.systemUTC())
                .create(definition("s3://devices/raw/"), Optional.empty(), p -> Json.object());
    }

    private PipelineDefinition definition(String source) throws RegistryException {
        return PipelineDefinition.of(Json.parse("""
                        {"name": "%s", "source": "%s", "sink": "s3://lake/landing",
                         "transform": {"namespaceFields": "event_type"}}""".formatted(mine, source)), Path.of("/"));
    }

    private static tools.jackson.databind.node.ObjectNode answer(Run run) {
        return Json.object().put("runId", run.runId());
    }

    /** All of them, begun together. */
    static <T> List<T> atOnce(List<Callable<T>> calls) throws InterruptedException, ExecutionException {
        CountDownLatch go = new CountDownLatch(1);
        List<Future<T>> results = new ArrayList<>();
        List<T> done = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(calls.size())) {
            for (Callable<T> call : calls) {
                results.add(threads.submit(() -> {
                    go.await();
                    return call.call();
                }));
            }
            go.countDown();
            for (Future<T> result : results) {
                done.add(result.get());
            }
        }
        return done;
    }
}
