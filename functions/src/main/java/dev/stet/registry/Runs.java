package dev.stet.registry;

import dev.stet.registry.RegistryStore.Change;
import dev.stet.registry.RegistryStore.Document;
import dev.stet.registry.RegistryStore.Join;
import dev.stet.registry.RegistryStore.Put;
import java.io.IOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * The runs: what whoever executes one needs. Load it by its id, add to its live counters, look whether it is to stop, and set how it ended. Thread-safe, for
 * many processes at once.
 */
public final class Runs {
    private static final String ALL = "RUNS";

    private final RegistryStore store;
    private final Clock clock;
    private final RunIds ids;

    public Runs(RegistryStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
        this.ids = new RunIds(clock);
    }

    private static String id(String runId) {
        return "RUN#" + runId;
    }

    private static String of(String pipeline) {
        return ALL + "#" + pipeline;
    }

    public Optional<Run> find(String runId) throws IOException {
        return store.find(id(runId)).map(d -> Run.stored(d.body()));
    }

    /** Whether someone asked the run to stop, or it has ended; also when there is no such run. Costs one read. */
    public boolean shouldStop(String runId) throws IOException {
        Optional<Run> run = find(runId);
        return run.isEmpty() || run.get().status() != RunStatus.RUNNING;
    }

    /** Adds to the live counters; approximate, since an answer that was lost may count twice. Cheap, for a thousand workers at once. */
    public void add(String runId, RunTotals amounts) throws IOException {
        store.add(id(runId), amounts.counters());
    }

    /** What the run has done: exact where its outcome is known, else the live counters. */
    public RunTotals totals(Run run) throws IOException {
        return run.outcome().isPresent()
                ? run.outcome().get().totals()
                : RunTotals.ofCounters(store.sums(id(run.runId())));
    }

    /**
     * Sets the terminal state. A run that has ended stays as it is.
     *
     * @param status a terminal one
     * @param error what went wrong, one line
     * @param outcome the exact totals; empty: the live counters stay as they are
     * @return the run as it is now
     */
    public Run finish(String runId, RunStatus status, Optional<String> error, Optional<Run.Outcome> outcome)
            throws IOException, RegistryException {
        return finishIf(runId, Optional.empty(), status, error, outcome);
    }

    /** As {@link #finish}, unless the run changed since {@code seen}: then it is only read again. */
    Run finishIfStill(Run seen, RunStatus status, Optional<String> error) throws IOException, RegistryException {
        return finishIf(seen.runId(), Optional.of(seen), status, error, Optional.empty());
    }

    private Run finishIf(
            String runId, Optional<Run> seen, RunStatus status, Optional<String> error, Optional<Run.Outcome> outcome)
            throws IOException, RegistryException {
        if (!status.ended()) {
            throw new IllegalArgumentException("not a terminal state: " + status);
        }
        return Attempts.repeat(() -> {
            Document found = store.find(id(runId)).orElseThrow(() -> unknown(runId));
            Run run = Run.stored(found.body());
            if (run.status().ended()
                    || (seen.isPresent() && !run.stored().equals(seen.get().stored()))) {
                return Optional.of(run);
            }
            Run ended = run.ended(status, clock.instant().truncatedTo(ChronoUnit.MILLIS), error, outcome);
            List<Change> changes = new ArrayList<>();
            changes.add(new Put(id(runId), found.version(), ended.stored()));
            changes.addAll(Pipelines.activeRuns(
                    store.find(Pipelines.id(run.pipelineName())),
                    active -> active.stream().filter(r -> !r.equals(runId)).toList()));
            return store.write(changes) ? Optional.of(ended) : Optional.empty();
        });
    }

    static RegistryException unknown(String runId) {
        return new RegistryException(
                ErrorCode.NotFound, "there is no run " + runId + "; ListRuns names them", Optional.of("runId"));
    }

    /** RUNNING → STOPPING. Any other state stays as it is. */
    Run requestStop(String runId) throws IOException, RegistryException {
        return change(runId, r -> r.status() == RunStatus.RUNNING ? r.withStatus(RunStatus.STOPPING) : r);
    }

    /** Notes who works on the run, once it has not ended. */
    public Run setWorker(String runId, String worker) throws IOException, RegistryException {
        return change(runId, r -> r.status().ended() ? r : r.withWorker(worker));
    }

    private Run change(String runId, Function<Run, Run> to) throws IOException, RegistryException {
        return Attempts.repeat(() -> {
            Document found = store.find(id(runId)).orElseThrow(() -> unknown(runId));
            Run run = Run.stored(found.body());
            Run next = to.apply(run);
            return next.equals(run) || store.write(List.of(new Put(id(runId), found.version(), next.stored())))
                    ? Optional.of(next)
                    : Optional.empty();
        });
    }

    /** A call that starts a run. */
    record Start(String pipelineName, String startedBy, boolean beside, Optional<ClientToken> token) {}

    /** What came of it: the answer, and the run where it is new. */
    record Started(ObjectNode answer, Optional<Run> run) {}

    /**
     * Puts a new run, RUNNING.
     *
     * @param answer what the call is answered, kept with its token
     */
    Started start(Start call, Function<Run, ObjectNode> answer) throws IOException, RegistryException {
        return Attempts.repeat(() -> {
            // The pipeline first: whoever made it busy under this token has stored its answer by then.
            Optional<Document> found = store.find(Pipelines.id(call.pipelineName()));
            if (call.token().isPresent()) {
                Optional<ObjectNode> before = call.token().get().answer(store);
                if (before.isPresent()) {
                    return Optional.of(new Started(before.get(), Optional.empty()));
                }
            }
            if (found.isEmpty()) {
                throw Pipelines.unknown(call.pipelineName(), "pipelineName");
            }
            Pipeline pipeline = Pipeline.stored(found.get().body());
            if (!call.beside() && !pipeline.activeRuns().isEmpty()) {
                throw Pipelines.busy(pipeline, "wait for it, end it with StopRun, or say allowConcurrent");
            }
            Run run = new Run(
                    ids.next(),
                    pipeline.definition(),
                    pipeline.revision(),
                    RunStatus.RUNNING,
                    clock.instant().truncatedTo(ChronoUnit.MILLIS),
                    Optional.empty(),
                    call.startedBy(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            ObjectNode answered = answer.apply(run);
            return store.write(changes(run, found, call.token().map(t -> t.put(answered))))
                    ? Optional.of(new Started(answered, Optional.of(run)))
                    : Optional.empty();
        });
    }

    private static List<Change> changes(Run run, Optional<Document> pipeline, Optional<Put> token) {
        List<Change> changes = new ArrayList<>();
        changes.add(new Put(id(run.runId()), 0, run.stored()));
        changes.addAll(Pipelines.activeRuns(pipeline, active -> {
            List<String> more = new ArrayList<>(active);
            more.add(run.runId());
            return more;
        }));
        changes.add(new Join(ALL, run.runId()));
        changes.add(new Join(of(run.pipelineName()), run.runId()));
        token.ifPresent(changes::add);
        return changes;
    }

    /** Newest first. @param pipeline empty: of all */
    Page<Run> list(Optional<String> pipeline, Optional<String> after, int limit) throws IOException {
        List<String> names = store.names(pipeline.map(Runs::of).orElse(ALL), after, true, limit + 1);
        List<String> shown = names.subList(0, Math.min(limit, names.size()));
        List<Run> runs = store.findAll(shown.stream().map(Runs::id).toList()).stream()
                .flatMap(Optional::stream)
                .map(d -> Run.stored(d.body()))
                .toList();
        return new Page<>(runs, names.size() > limit ? Optional.of(shown.getLast()) : Optional.empty());
    }
}
