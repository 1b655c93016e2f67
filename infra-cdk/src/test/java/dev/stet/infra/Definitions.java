package dev.stet.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Definitions of state machines: the files of {@code statemachine/}, and what is deployed of them. */
final class Definitions {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");

    private Definitions() {}

    /** Names that a definition leaves open. */
    static Set<String> placeholders(String name) {
        Matcher m = PLACEHOLDER.matcher(file(name).toString());
        Set<String> found = new TreeSet<>();
        while (m.find()) {
            found.add(m.group(1));
        }
        return found;
    }

    /** One of the repository. @param name copy or compact */
    static JsonNode file(String name) {
        try {
            return JsonMapper.shared().readTree(Files.readString(Path.of("..", "statemachine", name + ".asl.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As it is in a template, with placeholders. @param name of the machine */
    static JsonNode deployed(Template template, String name) {
        return template.properties("AWS::StepFunctions::StateMachine").values().stream()
                .filter(m -> m.path("StateMachineName").stringValue("").equals(name))
                .map(Definitions::deployed)
                .findFirst()
                .orElseThrow();
    }

    /** Of a state machine's properties. */
    static JsonNode deployed(JsonNode machine) {
        return JsonMapper.shared().readTree(machine.path("DefinitionString").stringValue(""));
    }

    /** All states of a definition, those of maps' children too. */
    static List<JsonNode> states(JsonNode definition) {
        List<JsonNode> states = new ArrayList<>();
        for (JsonNode state : definition.path("States").values()) {
            states.add(state);
            states.addAll(states(state.path("ItemProcessor")));
        }
        return states;
    }

    /** How many children the map of each machine starts at once, by the machine's name. */
    static Map<String, Integer> concurrency(Template template) {
        Map<String, Integer> found = new TreeMap<>();
        template.properties("AWS::StepFunctions::StateMachine")
                .values()
                .forEach(machine -> states(deployed(machine)).stream()
                        .filter(s -> s.has("MaxConcurrency"))
                        .forEach(s -> found.put(
                                machine.path("StateMachineName").stringValue(""),
                                s.path("MaxConcurrency").intValue(0))));
        return found;
    }
}
