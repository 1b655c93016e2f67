package dev.stet.cli;

import dev.stet.registry.Json;
import java.io.PrintStream;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows answers of the registry: as they are, or for people. */
final class Answers {
    private final PrintStream out;
    private final boolean json;

    Answers(PrintStream out, boolean json) {
        this.out = out;
        this.json = json;
    }

    /** One thing, a field a line. */
    void show(ObjectNode answer) {
        if (json) {
            out.println(Json.text(answer));
        } else {
            fields("", answer);
        }
    }

    /** A list, an element a line. */
    void list(ObjectNode answer, String field, String... columns) {
        if (json) {
            out.println(Json.text(answer));
            return;
        }
        for (JsonNode element : answer.get(field)) {
            StringBuilder line = new StringBuilder();
            for (String column : columns) {
                String text = text(element.path(column));
                line.append(text).append(" ".repeat(Math.max(2, 28 - text.length())));
            }
            out.println(Errors.oneLine(line.toString().stripTrailing()));
        }
        answer.optional("nextToken").ifPresent(t -> out.println("more: --next-token " + t.asString()));
    }

    private void fields(String prefix, ObjectNode node) {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = prefix + field.getKey();
            if (field.getValue() instanceof ObjectNode inner && !inner.isEmpty()) {
                fields(name + ".", inner);
            } else {
                out.println(
                        name + " ".repeat(Math.max(1, 24 - name.length())) + Errors.oneLine(text(field.getValue())));
            }
        }
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() ? "-" : value.isValueNode() ? value.asString() : Json.text(value);
    }
}
