package dev.stet.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** One mapping of the file whose keys were checked; hands out what it holds. A key without a value counts as not set. */
final class YamlSection {
    private final YamlDocument document;
    private final Node node;
    private final Map<String, NodeTuple> entries;

    private YamlSection(YamlDocument document, Node node, Map<String, NodeTuple> entries) {
        this.document = document;
        this.node = node;
        this.entries = entries;
    }

    /** A mapping whose keys are names that users chose. */
    static YamlSection names(YamlDocument document, Node node, String title) throws ConfigException {
        Map<String, NodeTuple> entries = new LinkedHashMap<>();
        if (!document.isNull(node)) {
            if (!(node instanceof MappingNode mapping)) {
                throw document.at(node, title).error("keys with values are expected here");
            }
            for (NodeTuple tuple : mapping.getValue()) {
                entries.put(document.key(tuple), tuple);
            }
        }
        return new YamlSection(document, node, entries);
    }

    /**
     * A mapping of known keys.
     *
     * @param ignored gets the keys that are accepted without meaning
     */
    static YamlSection of(ConfigSection section, YamlDocument document, Node node, String title, Set<String> ignored)
            throws ConfigException {
        YamlSection read = names(document, node, title);
        for (Map.Entry<String, NodeTuple> entry : read.entries.entrySet()) {
            String key = entry.getKey();
            Setting at = document.at(entry.getValue().getKeyNode(), key);
            if (section.ignored().contains(key)) {
                ignored.add(key);
            } else if (section.refused().containsKey(key)) {
                if (asksForSomething(document, entry.getValue().getValueNode())) {
                    throw at.error("refused: " + section.refused().get(key));
                }
                ignored.add(key);
            } else if (!section.used().contains(key) && !(section == ConfigSection.FILE && key.startsWith("x-"))) {
                throw unknown(section, document, entry.getValue().getKeyNode(), key, title);
            }
        }
        return read;
    }

    private static ConfigException unknown(
            ConfigSection section, YamlDocument document, Node at, String key, String title) {
        Optional<ConfigSection> home = section.homeOf(key);
        String hint = home.isPresent()
                ? "; it belongs to " + home.get().title()
                : Nearest.to(key, section.used())
                        .map(k -> "; the nearest valid key is " + k)
                        .orElse("");
        return document.at(at).error("unknown key " + key + " in " + title + hint);
    }

    /** A refused key that is switched off or empty changes nothing. */
    private static boolean asksForSomething(YamlDocument document, Node value) {
        return switch (value) {
            case ScalarNode scalar ->
                !document.isNull(scalar)
                        && !List.of("false", "no", "0", "")
                                .contains(scalar.getValue().toLowerCase(Locale.ROOT));
            case MappingNode mapping -> !mapping.getValue().isEmpty();
            case SequenceNode sequence -> !sequence.getValue().isEmpty();
            default -> true;
        };
    }

    /** Where the value of this key stands; where the mapping begins when it does not. */
    Setting at(String key) {
        Optional<NodeTuple> tuple = Optional.ofNullable(entries.get(key));
        return document.at(tuple.map(NodeTuple::getKeyNode).orElse(node), key);
    }

    Set<String> keys() {
        return entries.keySet();
    }

    Optional<Node> node(String key) {
        return Optional.ofNullable(entries.get(key))
                .map(NodeTuple::getValueNode)
                .filter(n -> !document.isNull(n));
    }

    Optional<String> text(String key) throws ConfigException {
        Optional<Node> value = node(key);
        return value.isPresent() ? Optional.of(document.text(value.get(), key)) : Optional.empty();
    }

    String required(String key, String meaning) throws ConfigException {
        Optional<String> value = text(key);
        if (value.isEmpty()) {
            throw at(key).error("missing: " + meaning);
        }
        return value.get();
    }

    /** Fields: a comma-separated text, or a list of fields as they are (so a name may hold a comma). */
    Optional<List<String>> fields(String key) throws ConfigException {
        Optional<Node> value = node(key);
        return value.isPresent() ? Optional.of(fields(value.get(), key)) : Optional.empty();
    }

    /** Levels of fields: a list that holds lists is one level an element; anything else is one level. */
    Optional<List<List<String>>> levels(String key) throws ConfigException {
        Optional<Node> value = node(key);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        List<List<String>> levels = new ArrayList<>();
        if (value.get() instanceof SequenceNode sequence
                && sequence.getValue().stream().anyMatch(SequenceNode.class::isInstance)) {
            for (Node element : sequence.getValue()) {
                List<String> level = fields(element, key);
                if (level.isEmpty()) {
                    throw document.at(element, key).error("a partition level without fields");
                }
                levels.add(level);
            }
        } else {
            List<String> level = fields(value.get(), key);
            if (!level.isEmpty()) {
                levels.add(level);
            }
        }
        return Optional.of(List.copyOf(levels));
    }

    /** A text, or a list of texts. */
    Optional<List<String>> texts(String key) throws ConfigException {
        Optional<Node> value = node(key);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                value.get() instanceof SequenceNode sequence
                        ? elements(sequence, key)
                        : List.of(document.text(value.get(), key)));
    }

    private List<String> fields(Node value, String key) throws ConfigException {
        if (value instanceof SequenceNode sequence) {
            List<String> fields = elements(sequence, key);
            if (fields.contains("")) {
                throw document.at(value, key).error("an empty field in the list");
            }
            return fields;
        }
        return SettingValues.fields(document.text(value, key), document.at(value, key));
    }

    private List<String> elements(SequenceNode sequence, String key) throws ConfigException {
        List<String> texts = new ArrayList<>();
        for (Node element : sequence.getValue()) {
            texts.add(document.isNull(element) ? "" : document.text(element, key));
        }
        return List.copyOf(texts);
    }
}
