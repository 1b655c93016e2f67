package dev.stet.functions;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Values as the contract has them, from those of CloudFormation, which hands every number and truth value on as text. A text that the contract takes stays a text;
 * one that is no number is left as it is, for the contract to refuse.
 */
final class ContractValues {
    private static final String SCHEMAS = "/components/schemas/";

    private final ObjectNode document;

    /** Takes the contract. @param document in OpenAPI */
    ContractValues(ObjectNode document) {
        this.document = document;
    }

    /** @param schema by its name in the contract */
    ObjectNode typed(String schema, ObjectNode value) {
        return object(alternatives(document.at(SCHEMAS + schema)), value);
    }

    private JsonNode typed(List<JsonNode> schemas, JsonNode value) {
        return switch (value) {
            case ObjectNode object -> object(schemas, object);
            case ArrayNode array -> {
                List<JsonNode> items = of(schemas, s -> List.of(s.path("items")));
                ArrayNode typed = array.arrayNode();
                array.values().forEach(v -> typed.add(typed(items, v)));
                yield typed;
            }
            case StringNode text -> scalar(schemas, text);
            default -> value;
        };
    }

    private ObjectNode object(List<JsonNode> schemas, ObjectNode value) {
        ObjectNode typed = value.objectNode();
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            List<JsonNode> inside = of(
                    schemas, s -> List.of(s.path("properties").path(field.getKey()), s.path("additionalProperties")));
            typed.set(field.getKey(), typed(inside, field.getValue()));
        }
        return typed;
    }

    private static JsonNode scalar(List<JsonNode> schemas, StringNode value) {
        Set<String> types = new HashSet<>();
        schemas.forEach(s -> types.add(s.path("type").asString("")));
        String text = value.asString();
        if (types.contains("string")) {
            return value;
        }
        if (types.contains("boolean") && (text.equals("true") || text.equals("false"))) {
            return JsonNodeFactory.instance.booleanNode(text.equals("true"));
        }
        if (types.contains("integer") && text.matches("-?[0-9]{1,18}")) {
            return JsonNodeFactory.instance.numberNode(Long.parseLong(text));
        }
        return value;
    }

    /** Schemas of a part, out of the schemas that a whole may have. */
    private List<JsonNode> of(List<JsonNode> wholes, Function<JsonNode, Collection<JsonNode>> part) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode whole : wholes) {
            for (JsonNode schema : part.apply(whole)) {
                if (schema.isObject()) {
                    found.addAll(alternatives(schema));
                }
            }
        }
        return found;
    }

    /** A schema without references, and what it may be instead. */
    private List<JsonNode> alternatives(JsonNode schema) {
        JsonNode here = schema.has("$ref")
                ? document.at(schema.path("$ref").asString("").substring(1))
                : schema;
        List<JsonNode> found = new ArrayList<>();
        found.add(here);
        here.path("anyOf").values().forEach(s -> found.addAll(alternatives(s)));
        return found;
    }
}
