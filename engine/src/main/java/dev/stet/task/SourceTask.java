package dev.stet.task;

import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A part of the source for one copy worker. Its line form is a JSON object without line feeds: {@code {"after":"a","up_to":"b"}} (no {@code up_to}: to the
 * end) or {@code {"keys":["a","b"]}}. Working on a task again copies only what is new.
 */
public sealed interface SourceTask {
    /** All objects of a key range. */
    record Range(KeyRange range) implements SourceTask {}

    /** Single objects, whatever is under these keys when the worker comes. Sorted, each key once. */
    record Objects(List<String> keys) implements SourceTask {
        public Objects {
            keys = keys.stream().sorted(KeyOrder.UTF8).distinct().toList();
        }
    }

    /** The line form, without a line feed. */
    default String toLine() {
        ObjectNode line = Json.MAPPER.createObjectNode();
        switch (this) {
            case Range r -> {
                line.put("after", r.range().after());
                r.range().upTo().ifPresent(k -> line.put("up_to", k));
            }
            case Objects o -> {
                ArrayNode keys = line.putArray("keys");
                o.keys().forEach(keys::add);
            }
        }
        return line.toString();
    }

    /**
     * Reads the line form.
     *
     * @throws IllegalArgumentException when it is none; the message is for the user
     */
    static SourceTask ofLine(String line) {
        try {
            JsonNode node = Json.MAPPER.readTree(line);
            if (node.path("keys").isArray()) {
                return new Objects(node.path("keys")
                        .valueStream()
                        .map(JsonNode::stringValue)
                        .toList());
            }
            if (node.path("after").isString()) {
                Optional<String> upTo = Optional.of(node.path("up_to"))
                        .filter(JsonNode::isString)
                        .map(JsonNode::stringValue);
                return new Range(new KeyRange(node.path("after").stringValue(), upTo));
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a task: " + line + " (" + e.getOriginalMessage() + ")", e);
        }
        throw new IllegalArgumentException("not a task, it has neither \"after\" nor \"keys\": " + line);
    }

    /** Holds the mapper, which is costly to make. */
    final class Json {
        private static final JsonMapper MAPPER = JsonMapper.shared();

        private Json() {}
    }
}
