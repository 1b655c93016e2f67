package dev.stet.asl;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A payload template: JSON in which the value of a name that ends in {@code .$} is a path. No intrinsic function is known. */
record Template(String where, JsonNode node) {
    static Template parse(String where, JsonNode node) {
        check(where, node);
        return new Template(where, node);
    }

    private static void check(String where, JsonNode node) {
        for (Map.Entry<String, JsonNode> e : node.properties()) {
            if (e.getKey().endsWith(".$")) {
                if (!e.getValue().isString()) {
                    throw new RefusedException(where + ": " + e.getKey() + " is no path: " + e.getValue());
                }
                Path _ = Path.parse(where + ": " + e.getKey(), e.getValue().stringValue());
                if (node.has(plain(e.getKey()))) {
                    throw new RefusedException(where + ": has '" + plain(e.getKey()) + "' twice");
                }
            } else {
                check(where + ": " + e.getKey(), e.getValue());
            }
        }
        if (node.isArray()) {
            node.values().forEach(n -> check(where, n));
        }
    }

    static String plain(String name) {
        return name.endsWith(".$") ? name.substring(0, name.length() - 2) : name;
    }

    JsonNode fill(JsonNode input, JsonNode context) throws Failure {
        return fill(node, input, context);
    }

    private JsonNode fill(JsonNode part, JsonNode input, JsonNode context) throws Failure {
        if (part.isArray()) {
            ArrayNode all = JsonNodeFactory.instance.arrayNode();
            for (JsonNode n : part.values()) {
                all.add(fill(n, input, context));
            }
            return all;
        }
        if (!part.isObject()) {
            return part;
        }
        ObjectNode filled = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> e : part.properties()) {
            if (e.getKey().endsWith(".$")) {
                Path path = Path.parse(where, e.getValue().stringValue());
                filled.set(
                        plain(e.getKey()),
                        path.find(input, context)
                                .orElseThrow(() -> new Failure(
                                        "States.ParameterPathFailure",
                                        where + ": nothing at " + path + " in "
                                                + (path.ofContext() ? context : input))));
            } else {
                filled.set(e.getKey(), fill(e.getValue(), input, context));
            }
        }
        return filled;
    }
}
