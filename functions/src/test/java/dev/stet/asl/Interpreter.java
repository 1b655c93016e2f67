package dev.stet.asl;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Steps through states. */
final class Interpreter {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final StateMachines machines;
    private final Functions functions;
    private final ObjectFiles files;
    private final Timer timer;
    private final RandomGenerator random;
    private final StateMachines.Settings settings;

    Interpreter(
            StateMachines machines,
            Functions functions,
            ObjectFiles files,
            Timer timer,
            RandomGenerator random,
            StateMachines.Settings settings) {
        this.machines = machines;
        this.functions = functions;
        this.files = files;
        this.timer = timer;
        this.random = random;
        this.settings = settings;
    }

    /** Where an execution stands after a state. {@code next} empty: at its end. */
    private record Step(JsonNode output, Optional<String> next) {}

    /** Runs an execution to its end, whatever that is. */
    void execute(Execution execution, Flow flow) {
        try {
            execution.history().add("ExecutionStarted");
            JsonNode output = run(execution, flow);
            execution.history().add("ExecutionSucceeded");
            execution.succeed(output);
        } catch (Failure f) {
            execution.fail(f);
        } catch (Execution.AbortedException e) {
            // It has ended already.
        } catch (InterruptedException | RuntimeException e) {
            execution.fail(new Failure(Failure.RUNTIME, String.valueOf(e)));
        }
    }

    private JsonNode run(Execution execution, Flow flow) throws Failure, InterruptedException {
        Step step = new Step(Limits.payload("the input", execution.input()), Optional.of(flow.startAt()));
        while (step.next().isPresent()) {
            execution.requireRunning();
            State state = flow.state(step.next().get());
            execution.history().add(type(state) + "StateEntered " + state.name());
            step = step(execution, state, step.output());
            Limits.payload("the output of state '" + state.name() + "'", step.output());
            execution.history().add(type(state) + "StateExited " + state.name());
        }
        return step.output();
    }

    private static String type(State state) {
        return state instanceof State.DistributedMap ? "Map" : state.getClass().getSimpleName();
    }

    private Step step(Execution execution, State state, JsonNode input) throws Failure, InterruptedException {
        JsonNode context = context(execution, state);
        return switch (state) {
            case State.Task task ->
                caught(
                        execution,
                        task.retriers(),
                        task.catchers(),
                        input,
                        () -> new Step(
                                output(task.output(), input, context, call(execution, task, input, context)),
                                task.next()));
            case State.DistributedMap map ->
                caught(
                        execution,
                        List.of(),
                        map.catchers(),
                        input,
                        () -> new Step(
                                output(
                                        map.output(),
                                        input,
                                        context,
                                        new MapRun(this, execution, map, files, settings).run(input, context)),
                                map.next()));
            case State.Pass pass -> {
                JsonNode filled =
                        pass.parameters().isPresent() ? pass.parameters().get().fill(input, context) : input;
                yield new Step(
                        output(pass.output(), input, context, pass.result().orElse(filled)), pass.next());
            }
            case State.Wait wait -> {
                timer.pause(Duration.ofSeconds(wait.seconds()));
                yield new Step(input, wait.next());
            }
            case State.Choice choice -> new Step(input, Optional.of(choose(choice, input, context)));
            case State.Succeed succeed -> new Step(found(succeed.outputPath(), input, context), Optional.empty());
            case State.Fail fail -> {
                JsonNode texts = fail.texts().fill(input, context);
                throw new Failure(
                        texts.get("Error").asString(), texts.get("Cause").asString());
            }
        };
    }

    private static String choose(State.Choice choice, JsonNode input, JsonNode context) throws Failure {
        for (State.Rule rule : choice.rules()) {
            if (rule.condition().holds(input, context)) {
                return rule.next();
            }
        }
        return choice.otherwise()
                .orElseThrow(() -> new Failure("States.NoChoiceMatched", choice.name() + ": " + input));
    }

    private interface Body {
        Step run() throws Failure, InterruptedException;
    }

    private Step caught(
            Execution execution, List<State.Retrier> retriers, List<State.Catcher> catchers, JsonNode input, Body body)
            throws Failure, InterruptedException {
        Map<State.Retrier, Integer> tries = new HashMap<>();
        while (true) {
            try {
                return body.run();
            } catch (Failure f) {
                Optional<State.Retrier> retrier =
                        retriers.stream().filter(r -> f.isOneOf(r.errors())).findFirst();
                if (retrier.isPresent()
                        && tries.merge(retrier.get(), 1, Integer::sum)
                                <= retrier.get().maxAttempts()) {
                    timer.pause(delay(retrier.get(), tries.getOrDefault(retrier.get(), 1)));
                    execution.requireRunning();
                    continue;
                }
                for (State.Catcher c : catchers) {
                    if (f.isOneOf(c.errors())) {
                        ObjectNode error =
                                NODES.objectNode().put("Error", f.error()).put("Cause", f.cause());
                        JsonNode out = c.resultPath().isPresent()
                                ? c.resultPath().get().put(input, error)
                                : input;
                        return new Step(out, Optional.of(c.next()));
                    }
                }
                throw f;
            }
        }
    }

    private Duration delay(State.Retrier retrier, int attempt) {
        double seconds =
                Math.min(retrier.maxDelay(), retrier.interval() * Math.pow(retrier.backoffRate(), attempt - 1.0));
        return Duration.ofMillis((long) (1_000 * (retrier.jitter() ? random.nextDouble() * seconds : seconds)));
    }

    private static JsonNode output(State.Output output, JsonNode input, JsonNode context, JsonNode result)
            throws Failure {
        JsonNode selected = output.resultSelector().isPresent()
                ? output.resultSelector().get().fill(result, context)
                : result;
        JsonNode put =
                output.resultPath().isPresent() ? output.resultPath().get().put(input, selected) : input;
        return found(output.outputPath(), put, context);
    }

    private static JsonNode found(Path path, JsonNode input, JsonNode context) throws Failure {
        return path.find(input, context)
                .orElseThrow(() -> new Failure(Failure.RUNTIME, "Invalid path '" + path + "' in " + input));
    }

    private JsonNode call(Execution execution, State.Task task, JsonNode input, JsonNode context)
            throws Failure, InterruptedException {
        JsonNode parameters = Limits.payload(
                "the input of task '" + task.name() + "'", task.parameters().fill(input, context));
        execution.history().add("TaskScheduled " + task.name());
        execution.history().add("TaskStarted " + task.name());
        try {
            JsonNode result = switch (task.resource()) {
                case LAMBDA_INVOKE -> invoke(execution, task, parameters);
                case START_EXECUTION_SYNC -> nested(execution, parameters);
            };
            Limits.payload("the result of task '" + task.name() + "'", result);
            execution.history().add("TaskSucceeded " + task.name());
            return result;
        } catch (Failure f) {
            execution.history().add("TaskFailed " + task.name());
            throw f;
        }
    }

    /** The call has a thread of its own: when the execution is stopped, it goes on. */
    private JsonNode invoke(Execution execution, State.Task task, JsonNode parameters)
            throws Failure, InterruptedException {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        Thread.ofVirtual().name("call-" + task.name()).start(() -> {
            try {
                answer.complete(functions.invoke(parameters.get("FunctionName").asString(), parameters.get("Payload")));
            } catch (Failure | InterruptedException | RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        ObjectNode result = NODES.objectNode().put("ExecutedVersion", "$LATEST").put("StatusCode", 200);
        result.set("Payload", awaited(execution, answer, task.timeoutSeconds()));
        return result;
    }

    private JsonNode nested(Execution execution, JsonNode parameters) throws Failure, InterruptedException {
        JsonNode input = parameters.get("Input");
        Execution child;
        try {
            child = machines.begin(
                    parameters.get("StateMachineArn").asString(),
                    UUID.randomUUID().toString(),
                    input,
                    Optional.of(execution));
        } catch (RefusedException e) {
            throw new Failure("StepFunctions." + e.getMessage().split(":", 2)[0], String.valueOf(e.getMessage()));
        }
        Execution.Result end = awaited(execution, child.end(), Optional.empty());
        ObjectNode result = NODES.objectNode()
                .put("ExecutionArn", child.arn())
                .put("Name", child.name())
                .put("StateMachineArn", child.machineArn())
                .put("StartDate", child.started().toEpochMilli())
                .put("Status", end.status().name());
        result.set("Input", input);
        if (end.status() != Execution.Status.SUCCEEDED) {
            throw new Failure(
                    "States.TaskFailed",
                    result.put("Error", end.error()).put("Cause", end.cause()).toString());
        }
        result.set("Output", end.output().orElseThrow());
        return result;
    }

    /** Waits for an answer, or for the execution to be stopped. */
    private static <T> T awaited(Execution execution, CompletableFuture<T> answer, Optional<Integer> seconds)
            throws Failure, InterruptedException {
        CompletableFuture<Object> first = CompletableFuture.anyOf(answer, execution.end());
        try {
            if (seconds.isPresent()) {
                first.get(seconds.get(), TimeUnit.SECONDS);
            } else {
                first.get();
            }
        } catch (TimeoutException e) {
            throw new Failure(Failure.TIMEOUT, "no answer within " + seconds.orElseThrow() + " s");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Failure f) {
                throw f;
            }
            throw new Failure("Lambda.Unknown", String.valueOf(e.getCause()));
        }
        execution.requireRunning();
        return answer.join();
    }

    private static JsonNode context(Execution execution, State state) {
        ObjectNode context = NODES.objectNode();
        ObjectNode of = context.putObject("Execution");
        of.put("Id", execution.arn());
        of.put("Name", execution.name());
        of.set("Input", execution.input());
        of.put("StartTime", execution.started().toString());
        context.putObject("State").put("Name", state.name());
        context.putObject("StateMachine").put("Id", execution.machineArn());
        return context;
    }
}
