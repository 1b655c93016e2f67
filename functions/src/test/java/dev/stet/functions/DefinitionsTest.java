package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.NodeTool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The deployed definitions as texts: by the public validator, and by the rules that it does not know. */
final class DefinitionsTest {
    private static final Path FOLDER = Path.of("..", "statemachine");
    private static final String THROTTLED = "Lambda.TooManyRequestsException";
    /** What a function is given at most, seconds; a state waits longer, so that the function's own word is heard. */
    private static final int FUNCTION_SECONDS = 900;

    private static Map<String, JsonNode> states(JsonNode flow) {
        Map<String, JsonNode> states = new TreeMap<>();
        for (Map.Entry<String, JsonNode> e : flow.get("States").properties()) {
            states.put(e.getKey(), e.getValue());
            if (e.getValue().has("ItemProcessor")) {
                states.putAll(states(e.getValue().get("ItemProcessor")));
            }
        }
        return states;
    }

    private static List<JsonNode> ofType(String definition, String type) throws IOException {
        return states(JsonMapper.shared().readTree(Cloud.definition(definition))).values().stream()
                .filter(s -> s.get("Type").stringValue().equals(type))
                .toList();
    }

    private static List<String> errors(JsonNode state, String list) {
        List<String> errors = new ArrayList<>();
        state.path(list).values().forEach(r -> r.get("ErrorEquals").values().forEach(e -> errors.add(e.stringValue())));
        return errors;
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "compact"})
    void mapsAreDistributedBoundedAndNeverStartedAgain(String definition) throws Exception {
        List<JsonNode> maps = ofType(definition, "Map");
        assertThat(maps).hasSize(1);
        for (JsonNode map : maps) {
            assertThat(Set.copyOf(map.propertyNames()))
                    .isEqualTo(Set.of(
                            "Comment",
                            "Type",
                            "ItemReader",
                            "ItemSelector",
                            "ItemProcessor",
                            "ResultWriter",
                            "MaxConcurrency",
                            "ToleratedFailurePercentage",
                            "ResultPath",
                            "Catch",
                            "Next"));
            assertThat(map.at("/ItemProcessor/ProcessorConfig"))
                    .isEqualTo(
                            JsonMapper.shared().readTree("{\"Mode\":\"DISTRIBUTED\",\"ExecutionType\":\"STANDARD\"}"));
            assertThat(map.at("/ItemReader/ReaderConfig"))
                    .isEqualTo(JsonMapper.shared().readTree("{\"InputType\":\"JSONL\"}"));
            assertThat(map.get("MaxConcurrency").intValue()).isBetween(1, 1_000);
            assertThat(map.get("ToleratedFailurePercentage").intValue())
                    .as("what failed is carried to the next round")
                    .isEqualTo(100);
            assertThat(errors(map, "Catch")).containsExactly("States.ALL");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "compact"})
    void everyCallOfAFunctionIsRepeatedWhenThrottledAndWaitsLongerThanTheFunctionMayTake(String definition)
            throws Exception {
        for (JsonNode task : ofType(definition, "Task")) {
            if (!task.get("Resource").stringValue().equals("arn:aws:states:::lambda:invoke")) {
                continue;
            }
            assertThat(errors(task, "Retry")).contains(THROTTLED, "Lambda.ServiceException", "States.TaskFailed");
            JsonNode throttled = task.get("Retry").get(0);
            assertThat(throttled.get("JitterStrategy").stringValue()).isEqualTo("FULL");
            assertThat(throttled.get("MaxDelaySeconds").intValue()).isPositive();
            assertThat(task.get("TimeoutSeconds").intValue()).isGreaterThan(FUNCTION_SECONDS);
            assertThat(task.at("/Parameters/FunctionName").stringValue()).matches("\\$\\{[A-Za-z]+Function}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "compact"})
    void theLimitOfRoundsAndTheStopAreChoices(String definition) throws Exception {
        List<String> asked = new ArrayList<>();
        for (JsonNode choice : ofType(definition, "Choice")) {
            choice.get("Choices")
                    .values()
                    .forEach(c -> asked.add(c.get("Variable").stringValue()));
        }
        assertThat(asked).contains("$.round.number", definition.equals("copy") ? "$.round.stop" : "$.round.done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "compact"})
    void everyPlaceholderNamesAHandlerOrTheOtherStateMachine(String definition) throws Exception {
        List<String> names = Pattern.compile("\\$\\{([A-Za-z]+)}")
                .matcher(Cloud.definition(definition))
                .results()
                .map(m -> m.group(1))
                .distinct()
                .toList();
        for (String name : names) {
            if (name.equals("CompactStateMachine")) {
                continue;
            }
            String handler = name.replaceAll("Function$", "Handler");
            assertThat(Class.forName("dev.stet.functions." + handler)).isFinal();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "compact"})
    void thePublicValidatorFindsNothing(String definition) throws Exception {
        Path home = validator();
        Process process = new ProcessBuilder(
                        "node",
                        home.resolve("node_modules/.bin/asl-validator").toString(),
                        "--json-path",
                        FOLDER.resolve(definition + ".asl.json").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private static Path validator() throws InterruptedException {
        try {
            return NodeTool.install("asl-validator", FOLDER);
        } catch (IOException e) {
            return Assumptions.abort("asl-validator cannot be installed, its test is skipped: " + e.getMessage());
        }
    }
}
