package dev.stet.asl;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service: state machines by name, and their executions. Thread-safe. */
public final class StateMachines {
    /**
     * What this machine can do.
     *
     * @param parallel children that run at once at most; never more than the Map says
     * @param historyEvents most events of an execution; the service's is {@link Limits#HISTORY_EVENTS}
     */
    public record Settings(int parallel, int historyEvents) {}

    private static final String ARN = "arn:aws:states:local:000000000000:stateMachine:";

    private final Interpreter interpreter;
    private final Settings settings;
    private final Map<String, Flow> machines = new ConcurrentHashMap<>();
    private final Map<String, Execution> executions = new ConcurrentHashMap<>();

    public StateMachines(
            Functions functions, ObjectFiles files, Timer timer, RandomGenerator random, Settings settings) {
        this.settings = settings;
        this.interpreter = new Interpreter(this, functions, files, timer, random, settings);
    }

    public static String arn(String name) {
        return ARN + name;
    }

    /** Loads a definition's text, unchanged but for {@code ${Name}}, as CloudFormation fills it in. @throws RefusedException for what is not known */
    public void deploy(String name, String definition, Map<String, String> substitutions) {
        machines.put(arn(name), DefinitionReader.read(name, definition, substitutions));
    }

    /** Starts an execution. The same name with the same input is the same execution while it runs. */
    public Execution start(String name, String executionName, JsonNode input) {
        return begin(arn(name), executionName, input, Optional.empty());
    }

    Execution begin(String arn, String executionName, JsonNode input, Optional<Execution> parent) {
        Limits.executionName(executionName);
        Flow flow = machines.get(arn);
        if (flow == null) {
            throw new RefusedException("StateMachineDoesNotExist: " + arn);
        }
        if (input.toString().getBytes(StandardCharsets.UTF_8).length > Limits.PAYLOAD) {
            throw new RefusedException("InvalidExecutionInput: more than " + Limits.PAYLOAD + " bytes");
        }
        Execution fresh = new Execution(arn, executionName, input, new History(settings.historyEvents()));
        Execution there = executions.putIfAbsent(fresh.arn(), fresh);
        if (there != null) {
            if (there.status() == Execution.Status.RUNNING && there.input().equals(input)) {
                return there;
            }
            throw new RefusedException("ExecutionAlreadyExists: " + executionName);
        }
        parent.ifPresent(p -> p.adopt(fresh));
        Thread.ofVirtual().name(executionName).start(() -> interpreter.execute(fresh, flow));
        return fresh;
    }

    static JsonMapper json() {
        return JsonMapper.shared();
    }
}
