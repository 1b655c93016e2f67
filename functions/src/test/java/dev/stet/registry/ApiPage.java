package dev.stet.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes {@code docs/api.md} from the contract. */
final class ApiPage {
    private final ObjectNode document;
    private final StringBuilder page = new StringBuilder();

    private ApiPage(ObjectNode document) {
        this.document = document;
    }

    static String of(ObjectNode document) {
        return new ApiPage(document).write();
    }

    private String write() {
        line("# The ELT registry: API");
        line("");
        line(
                "Generated from `functions/src/main/resources/dev/stet/registry/openapi.json`; a test holds it to that file.");
        line("");
        line(document.at("/info/description").asString());
        line("");
        line("| | authorisation |");
        line("|---|---|");
        line("| `POST /{Action}` | "
                + document.at("/components/securitySchemes/sigv4/description").asString() + " |");
        line("| `POST /jwt/{Action}` | "
                + document.at("/components/securitySchemes/jwt/description").asString() + " |");
        for (Action action : Action.values()) {
            action(action);
        }
        errors();
        for (String name : List.of("Transform", "Override", "OnMissing")) {
            line("");
            line("## " + name);
            line("");
            line(document.at("/components/schemas/" + name + "/description").asString());
            fields(document.at("/components/schemas/" + name));
        }
        return page.toString();
    }

    private void action(Action action) {
        JsonNode operation = document.at("/paths/~1" + action + "/post");
        line("");
        line("## " + action);
        line("");
        line(operation.get("summary").asString());
        operation.optional("description").ifPresent(d -> {
            line("");
            line(d.asString());
        });
        line("");
        line("IAM resource `…/POST/" + action + "`, scope `" + action.scope() + "`.");
        fields(document.at("/components/schemas/" + action + "Request"));
        example("Request", operation.at("/requestBody/content/application~1json/example"));
        example("Answer", operation.at("/responses/200/content/application~1json/example"));
        String answer = operation
                .at("/responses/200/content/application~1json/schema/$ref")
                .asString();
        line("");
        line("Answer: " + answerFields(answer.substring(answer.lastIndexOf('/') + 1)));
        line("");
        line("Refusals: " + String.join(", ", statuses(operation)) + ".");
    }

    private String answerFields(String schema) {
        List<String> names = new ArrayList<>();
        JsonNode node = document.at("/components/schemas/" + schema);
        List<JsonNode> parts =
                node.has("allOf") ? node.get("allOf").valueStream().toList() : List.of(node);
        for (JsonNode part : parts) {
            resolved(part).path("properties").propertyNames().forEach(n -> names.add("`" + n + "`"));
        }
        return String.join(", ", names) + ".";
    }

    private static List<String> statuses(JsonNode operation) {
        TreeSet<String> statuses = new TreeSet<>(operation.get("responses").propertyNames());
        statuses.remove("200");
        return List.copyOf(statuses);
    }

    private void fields(JsonNode schema) {
        if (schema.path("properties").isEmpty()) {
            return;
        }
        TreeSet<String> required = new TreeSet<>();
        schema.path("required").forEach(r -> required.add(r.asString()));
        line("");
        line("| field | | meaning |");
        line("|---|---|---|");
        for (Map.Entry<String, JsonNode> field : schema.get("properties").properties()) {
            String need = required.contains(field.getKey()) ? "required" : "";
            line("| `" + field.getKey() + "` | " + need + " | " + meaning(field.getValue()) + " |");
        }
    }

    private String meaning(JsonNode schema) {
        JsonNode of = resolved(schema);
        Optional<String> own = schema.optional("description").map(JsonNode::asString);
        Optional<String> there = of.optional("description").map(JsonNode::asString);
        List<String> parts = new ArrayList<>();
        own.ifPresent(parts::add);
        there.filter(t -> own.isEmpty() || !own.get().equals(t)).ifPresent(parts::add);
        if (of.has("enum")) {
            parts.add("one of "
                    + String.join(
                            ", ",
                            of.get("enum")
                                    .valueStream()
                                    .map(e -> "`" + e.asString() + "`")
                                    .toList()));
        }
        if (of.has("minimum")) {
            parts.add(of.get("minimum") + " to " + of.get("maximum"));
        }
        return String.join("; ", parts).replace("|", "\\|");
    }

    private JsonNode resolved(JsonNode schema) {
        return schema.has("$ref") ? document.at(schema.get("$ref").asString().substring(1)) : schema;
    }

    private void example(String title, JsonNode value) {
        line("");
        line(title + ":");
        line("");
        line("```json");
        line(Json.indented(value));
        line("```");
    }

    private void errors() {
        line("");
        line("## Errors");
        line("");
        line(
                "`{\"code\": …, \"message\": …, \"field\": …}`: the code for programs, the message for people, the field where there is one.");
        line("");
        line("| status | codes | meaning |");
        line("|---|---|---|");
        for (Map.Entry<String, JsonNode> response :
                document.at("/components/responses").properties()) {
            List<String> codes = new ArrayList<>();
            for (ErrorCode code : ErrorCode.values()) {
                if (Integer.toString(code.status()).equals(response.getKey())) {
                    codes.add("`" + code + "`");
                }
            }
            line("| " + response.getKey() + " | " + String.join(", ", codes) + " | "
                    + response.getValue().get("description").asString() + " |");
        }
    }

    private void line(String text) {
        page.append(text.replace("\r\n", "\n")).append('\n');
    }
}
