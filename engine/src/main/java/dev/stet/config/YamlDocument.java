package dev.stet.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** One YAML file as nodes, which know their lines; text of values with the environment put in. */
final class YamlDocument {
    private final String label;
    private final Function<String, Optional<String>> environment;

    YamlDocument(String label, Function<String, Optional<String>> environment) {
        this.label = label;
        this.environment = environment;
    }

    /** The root of the only document of the text; keys are texts, and none stands twice in one mapping. */
    MappingNode parse(String text) throws ConfigException {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(label)
                .setSchema(new CoreSchema())
                .setAllowNonScalarKeys(true) // refused below, with their line
                .build();
        List<Node> roots = new ArrayList<>();
        try {
            Iterator<Node> documents =
                    new Compose(settings).composeAllFromString(text).iterator();
            while (documents.hasNext()) {
                roots.add(documents.next());
            }
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(Mark::getLine).orElse(0) + 1;
            throw new ConfigException(label + ":" + line + ": not valid YAML: " + oneLine(e.getProblem()));
        } catch (YamlEngineException e) {
            throw new ConfigException(label + ": not valid YAML: " + oneLine(String.valueOf(e.getMessage())));
        }
        if (roots.size() > 1) {
            throw at(roots.get(1)).error("a second YAML document; stet reads one");
        }
        if (roots.isEmpty() || !(roots.get(0) instanceof MappingNode root)) {
            throw new ConfigException(
                    label + ": no settings in it: a mapping with pipelines, data_sources and data_sinks is expected");
        }
        checkKeys(root, Collections.newSetFromMap(new IdentityHashMap<>()));
        return root;
    }

    private void checkKeys(Node node, Set<Node> seen) throws ConfigException {
        if (!seen.add(node)) {
            return; // an alias of what was looked at
        }
        if (node instanceof SequenceNode sequence) {
            for (Node element : sequence.getValue()) {
                checkKeys(element, seen);
            }
        } else if (node instanceof MappingNode mapping) {
            Map<String, Integer> lines = new HashMap<>();
            for (NodeTuple tuple : mapping.getValue()) {
                String key = key(tuple);
                int line = line(tuple.getKeyNode());
                Optional<Integer> before = Optional.ofNullable(lines.putIfAbsent(key, line));
                if (before.isPresent()) {
                    throw new ConfigException("%s:%d: the key %s stands twice; first in line %d"
                            .formatted(label, line, key, before.get()));
                }
                checkKeys(tuple.getValueNode(), seen);
            }
        }
    }

    String key(NodeTuple tuple) throws ConfigException {
        if (tuple.getKeyNode() instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw at(tuple.getKeyNode()).error("a key must be a word");
    }

    boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    /** The value as text, with the environment's variables put in. Two dollar signs before a brace stand for one and the brace. */
    String text(Node node, String key) throws ConfigException {
        if (node instanceof ScalarNode scalar) {
            return expand(scalar.getValue(), at(node, key));
        }
        throw at(node, key).error("one value is expected, not a list or mapping");
    }

    private String expand(String raw, Setting setting) throws ConfigException {
        if (!raw.contains("${")) {
            return raw;
        }
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (int at = raw.indexOf("${"); at >= 0; at = raw.indexOf("${", from)) {
            if (at > from && raw.charAt(at - 1) == '$') {
                text.append(raw, from, at - 1).append("${");
                from = at + 2;
                continue;
            }
            int end = raw.indexOf('}', at);
            String name = end < 0 ? "" : raw.substring(at + 2, end);
            if (!isVariable(name)) {
                throw setting.error(SettingValues.quote(raw)
                        + " holds ${ without a variable's name and }; write $${ for the characters themselves");
            }
            Optional<String> value = environment.apply(name);
            if (value.isEmpty()) {
                throw setting.error("the environment variable " + name + " is not set");
            }
            text.append(raw, from, at).append(value.get());
            from = end + 1;
        }
        return text.append(raw, from, raw.length()).toString();
    }

    private static boolean isVariable(String name) {
        boolean word = name.chars()
                .allMatch(c -> c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
        return word && !name.isEmpty() && !Character.isDigit(name.charAt(0));
    }

    Setting at(Node node) {
        return new Setting(place(node));
    }

    Setting at(Node node, String key) {
        return new Setting(place(node) + ": " + key);
    }

    /** What was never written has no lines. */
    private String place(Node node) {
        return node.getStartMark().isPresent() ? label + ":" + line(node) : label;
    }

    String label() {
        return label;
    }

    private static int line(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }

    private static String oneLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
