package dev.stet.registry;

import dev.stet.config.ConfigException;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads the settings of one JSON object, whose form the contract has checked, as {@code dev.stet.config} takes them. */
record Settings(JsonNode json, String prefix) {
    Setting at(String field) {
        return new Setting(prefix + field);
    }

    Optional<JsonNode> node(String field) {
        return json.optional(field).filter(n -> !n.isNull());
    }

    Optional<String> text(String field) {
        return node(field).map(JsonNode::asString);
    }

    Optional<Long> number(String field) {
        return node(field).map(JsonNode::asLong);
    }

    boolean flag(String field) {
        return node(field).map(JsonNode::asBoolean).orElse(false);
    }

    /** Bytes, as a number or as people write them. */
    Optional<Long> size(String field) throws ConfigException {
        Optional<JsonNode> value = node(field);
        if (value.isEmpty() || value.get().isNumber()) {
            return value.map(JsonNode::asLong); // 7e3 and 7000.0 are whole numbers too
        }
        return Optional.of(SettingValues.size(value.get().asString(), at(field)));
    }

    /** A text, or a list of texts. */
    Optional<List<String>> texts(String field) {
        return node(field).map(n -> n.isArray() ? elements(n) : List.of(n.asString()));
    }

    /** Fields: a comma-separated text, or a list of fields as they are. */
    Optional<List<String>> fields(String field) throws ConfigException {
        Optional<JsonNode> value = node(field);
        return value.isPresent() ? Optional.of(fields(value.get(), field)) : Optional.empty();
    }

    /** Levels of fields: a list that holds lists is one level an element; anything else is one level. */
    Optional<List<List<String>>> levels(String field) throws ConfigException {
        Optional<JsonNode> value = node(field);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        List<List<String>> levels = new ArrayList<>();
        if (value.get().isArray() && value.get().valueStream().anyMatch(JsonNode::isArray)) {
            for (JsonNode element : value.get()) {
                levels.add(fields(element, field));
            }
        } else {
            List<String> level = fields(value.get(), field);
            if (!level.isEmpty()) {
                levels.add(level);
            }
        }
        return Optional.of(List.copyOf(levels));
    }

    private List<String> fields(JsonNode value, String field) throws ConfigException {
        return value.isArray() ? elements(value) : SettingValues.fields(value.asString(), at(field));
    }

    private static List<String> elements(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }
}
