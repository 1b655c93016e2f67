package dev.stet.registry;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The ten actions, from request to answer. Requests are checked against the contract first. Thread-safe. */
public final class RegistryService {
    private static final int DEFAULT_RESULTS = 100;
    private static final int TOKEN_PREFIX = 2; // "p." or "r."

    private final Contract contract;
    private final Pipelines pipelines;
    private final Runs runs;
    private final RunLauncher launcher;
    private final Path workingDirectory;
    private final Clock clock;

    /** @param workingDirectory what relative directories of requests are relative to */
    public RegistryService(
            Contract contract, RegistryStore store, RunLauncher launcher, Path workingDirectory, Clock clock) {
        this.contract = contract;
        this.pipelines = new Pipelines(store, clock);
        this.runs = new Runs(store, clock);
        this.launcher = launcher;
        this.workingDirectory = workingDirectory;
        this.clock = clock;
    }

    /**
     * Does it.
     *
     * @throws RegistryException refused; nothing was done
     * @throws IOException the store or the launcher failed
     */
    public ObjectNode call(Action action, ObjectNode request, Caller caller) throws RegistryException, IOException {
        contract.checkRequest(action, request);
        return switch (action) {
            case CreatePipeline -> createPipeline(request);
            case UpdatePipeline -> updatePipeline(request);
            case DescribePipeline -> describePipeline(text(request, "name"));
            case ListPipelines -> listPipelines(request);
            case DeletePipeline -> deletePipeline(text(request, "name"));
            case StartRun -> startRun(request, caller);
            case DescribeRun -> view(look(find(request)));
            case ListRuns -> listRuns(request);
            case StopRun -> stopRun(find(request));
            case ReportRun -> reportRun(find(request), request);
        };
    }

    private ObjectNode createPipeline(ObjectNode request) throws RegistryException, IOException {
        PipelineDefinition definition = PipelineDefinition.of(request, workingDirectory);
        checkRunnable(definition);
        return pipelines.create(
                definition, ClientToken.of(Action.CreatePipeline.name(), request), RegistryService::view);
    }

    /**
     * Makes a pipeline wholly what a CreatePipeline request without token says: what is left out is as in a new pipeline, not as it was. For definitions that are kept
     * elsewhere as a whole.
     *
     * @throws RegistryException refused; nothing was done
     * @throws IOException the store failed
     */
    public ObjectNode replacePipeline(ObjectNode request) throws RegistryException, IOException {
        contract.checkRequest(Action.CreatePipeline, request);
        PipelineDefinition definition = PipelineDefinition.of(request, workingDirectory);
        checkRunnable(definition);
        return view(pipelines
                .update(definition.name(), Optional.empty(), before -> definition)
                .after());
    }

    private ObjectNode updatePipeline(ObjectNode request) throws RegistryException, IOException {
        Optional<Long> revision = request.optional("revision").map(JsonNode::asLong);
        Pipelines.Updated updated = pipelines.update(text(request, "name"), revision, before -> {
            ObjectNode merged = before.json();
            // It follows from the ends, which may have changed.
            if (before.isCopy()) {
                merged.remove("type");
            }
            for (String field : PipelineDefinition.FIELDS) {
                request.optional(field).ifPresent(v -> merged.set(field, v));
            }
            PipelineDefinition next = merged(merged);
            checkRunnable(next);
            return next;
        });
        ObjectNode answer = view(updated.after());
        ArrayNode notes = answer.putArray("notes");
        updated.before()
                .definition()
                .consequencesOf(updated.after().definition())
                .forEach(notes::add);
        return answer;
    }

    /** The request was good by itself: what is wrong is wrong with the two together. */
    private PipelineDefinition merged(ObjectNode fields) throws RegistryException {
        try {
            return PipelineDefinition.of(fields, workingDirectory);
        } catch (RegistryException e) {
            throw new RegistryException(ErrorCode.DoesNotFit, e.text(), e.field());
        }
    }

    private void checkRunnable(PipelineDefinition definition) throws RegistryException {
        if (definition.isCopy()) {
            launcher.check(definition);
        }
    }

    private ObjectNode describePipeline(String name) throws RegistryException, IOException {
        Optional<Pipeline> found = pipelines.find(name);
        if (found.isEmpty()) {
            throw Pipelines.unknown(name, "name");
        }
        return view(found.get());
    }

    private ObjectNode listPipelines(ObjectNode request) throws IOException {
        Page<Pipeline> page = pipelines.list(after(request), limit(request));
        ObjectNode answer = Json.object();
        ArrayNode list = answer.putArray("pipelines");
        page.items().forEach(p -> list.add(view(p)));
        page.last().ifPresent(name -> answer.put("nextToken", "p." + name));
        return answer;
    }

    private ObjectNode deletePipeline(String name) throws RegistryException, IOException {
        lookAtRunsOf(name);
        pipelines.delete(name);
        return Json.object().put("name", name);
    }

    private ObjectNode startRun(ObjectNode request, Caller caller) throws RegistryException, IOException {
        String name = text(request, "pipelineName");
        lookAtRunsOf(name);
        Runs.Started started = runs.start(
                new Runs.Start(
                        name,
                        caller.id(),
                        request.path("allowConcurrent").asBoolean(false),
                        ClientToken.of(Action.StartRun.name(), request)),
                run -> Json.object()
                        .put("runId", run.runId())
                        .put("status", run.status().name()));
        if (started.run().isPresent()) {
            launch(started.run().get());
        } else {
            Optional<Run> before = runs.find(text(started.answer(), "runId"));
            if (before.isPresent()
                    && before.get().definition().isCopy()
                    && !before.get().status().ended()) {
                launcher.startAgain(before.get());
            }
        }
        return started.answer();
    }

    /** A run that was not launched has failed: it must not stand in the way of the next. */
    private void launch(Run run) throws RegistryException, IOException {
        if (!run.definition().isCopy()) {
            return;
        }
        try {
            launcher.start(run);
        } catch (RegistryException | IOException e) {
            String why = "it could not be started: " + e.getMessage();
            Run _ = runs.finish(run.runId(), RunStatus.FAILED, Optional.of(why), Optional.empty());
            throw e;
        }
    }

    private ObjectNode listRuns(ObjectNode request) throws RegistryException, IOException {
        Page<Run> page =
                runs.list(request.optional("pipelineName").map(JsonNode::asString), after(request), limit(request));
        ObjectNode answer = Json.object();
        ArrayNode list = answer.putArray("runs");
        for (Run run : page.items()) {
            list.add(view(look(run)));
        }
        page.last().ifPresent(id -> answer.put("nextToken", "r." + id));
        return answer;
    }

    private ObjectNode stopRun(Run run) throws RegistryException, IOException {
        return view(
                run.definition().isCopy()
                        ? runs.requestStop(look(run).runId())
                        : runs.finish(run.runId(), RunStatus.STOPPED, Optional.empty(), Optional.empty()));
    }

    private ObjectNode reportRun(Run run, ObjectNode request) throws RegistryException, IOException {
        if (run.definition().isCopy()) {
            throw new RegistryException(
                    ErrorCode.RunIsOurs,
                    "the engine runs pipelines of type copy and reports their runs itself; StopRun ends one");
        }
        if (run.status().ended()) {
            throw ended(run);
        }
        RunStatus status = RunStatus.valueOf(text(request, "status"));
        Optional<String> message = request.optional("message").map(JsonNode::asString);
        String told = "reported by another engine" + message.map(m -> ": " + m).orElse("");
        Run after = runs.finish(
                run.runId(),
                status,
                // A message that comes with success is no error.
                message.filter(m -> status == RunStatus.FAILED),
                Optional.of(new Run.Outcome(RunTotals.NONE, Optional.empty(), Optional.of(told))));
        return view(after);
    }

    private static RegistryException ended(Run run) {
        return new RegistryException(
                ErrorCode.RunEnded,
                "the run ended " + run.status() + " at "
                        + run.endedAt().map(Object::toString).orElse("an unknown time") + ", which never changes");
    }

    private Run find(ObjectNode request) throws RegistryException, IOException {
        String runId = text(request, "runId");
        Optional<Run> found = runs.find(runId);
        if (found.isEmpty()) {
            throw Runs.unknown(runId);
        }
        return found.get();
    }

    /** The run as it is now; FAILED, if it has not ended and nobody is left who would end it. */
    private Run look(Run run) throws RegistryException, IOException {
        if (run.status().ended() || !run.definition().isCopy()) {
            return run;
        }
        Optional<String> why = launcher.lost(run);
        return why.isEmpty() ? run : runs.finishIfStill(run, RunStatus.FAILED, why);
    }

    private void lookAtRunsOf(String pipeline) throws RegistryException, IOException {
        Optional<Pipeline> found = pipelines.find(pipeline);
        List<String> active =
                found.isEmpty() ? List.of() : new ArrayList<>(found.get().activeRuns());
        for (String runId : active) {
            Optional<Run> run = runs.find(runId);
            if (run.isPresent()) {
                Run _ = look(run.get());
            }
        }
    }

    private ObjectNode view(Run run) throws IOException {
        return RunView.of(run, runs.totals(run), clock.instant());
    }

    private static ObjectNode view(Pipeline pipeline) {
        ObjectNode json = pipeline.definition().json();
        json.put("revision", pipeline.revision())
                .put("createdAt", pipeline.createdAt().toString())
                .put("updatedAt", pipeline.updatedAt().toString());
        ArrayNode active = json.putArray("activeRuns");
        pipeline.activeRuns().forEach(active::add);
        return json;
    }

    private static int limit(ObjectNode request) {
        return request.path("maxResults").asInt(DEFAULT_RESULTS);
    }

    private static Optional<String> after(ObjectNode request) {
        return request.optional("nextToken").map(t -> t.asString().substring(TOKEN_PREFIX));
    }

    private static String text(ObjectNode json, String field) {
        return json.get(field).asString();
    }
}
