package dev.stet.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A synthesized template, for reading. */
record Template(JsonNode json) {
    /** Properties of the resources of a type, by logical id. */
    Map<String, JsonNode> properties(String type) {
        Map<String, JsonNode> found = new TreeMap<>();
        resources(type).forEach((id, r) -> found.put(id, r.path("Properties")));
        return found;
    }

    /** Resources of a type with all that CloudFormation is told of them, by logical id. */
    Map<String, JsonNode> resources(String type) {
        Map<String, JsonNode> found = new TreeMap<>();
        for (Map.Entry<String, JsonNode> r : json.path("Resources").properties()) {
            if (r.getValue().path("Type").stringValue("").equals(type)) {
                found.put(r.getKey(), r.getValue());
            }
        }
        return found;
    }

    /** The one resource of a type. */
    JsonNode only(String type) {
        Map<String, JsonNode> found = resources(type);
        if (found.size() != 1) {
            throw new AssertionError("expected one " + type + ", found " + found.keySet());
        }
        return found.values().iterator().next();
    }

    /** The properties of the one EventBridge rule for events of a kind. */
    JsonNode rule(String detailType) {
        List<JsonNode> found = properties("AWS::Events::Rule").values().stream()
                .filter(r ->
                        r.path("EventPattern").path("detail-type").toString().equals("[\"" + detailType + "\"]"))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("expected one rule for " + detailType + ", found " + found);
        }
        return found.getFirst();
    }

    /** Statements of all policies of roles. */
    List<Statement> statements() {
        List<Statement> found = new ArrayList<>();
        properties("AWS::IAM::Policy").forEach((id, policy) -> {
            for (JsonNode s : policy.path("PolicyDocument").path("Statement").values()) {
                found.add(new Statement(id, s, list(s.path("Action")), resolved(s.path("Resource"))));
            }
        });
        return found;
    }

    private static List<String> list(JsonNode oneOrMore) {
        return oneOrMore.isArray()
                ? oneOrMore.values().stream().map(n -> n.stringValue("")).toList()
                : List.of(oneOrMore.stringValue(""));
    }

    private static List<String> resolved(JsonNode oneOrMore) {
        Stream<JsonNode> all = oneOrMore.isArray() ? oneOrMore.values().stream() : Stream.of(oneOrMore);
        return all.map(Template::text).toList();
    }

    /** A value as text; a reference to a resource as {@code <ID.ATTRIBUTE>}, one to the account and region as {@code <AWS::Region>}. */
    static String text(JsonNode value) {
        if (value.has("Ref")) {
            return "<" + value.path("Ref").stringValue("") + ">";
        }
        if (value.has("Fn::GetAtt")) {
            return "<" + String.join(".", list(value.path("Fn::GetAtt"))) + ">";
        }
        if (value.has("Fn::Join")) {
            StringBuilder text = new StringBuilder();
            value.path("Fn::Join").get(1).values().forEach(part -> text.append(text(part)));
            return text.toString();
        }
        if (value.has("Fn::ImportValue")) {
            return "<import " + value.path("Fn::ImportValue").stringValue("") + ">";
        }
        return value.stringValue("");
    }

    /**
     * One statement.
     *
     * @param policy logical id of the policy
     */
    record Statement(String policy, JsonNode json, List<String> actions, List<String> resources) {
        String sid() {
            return json.path("Sid").stringValue("");
        }

        /** The same for one of its resources only. */
        Statement on(String resource) {
            return new Statement(policy, json, actions, List.of(resource));
        }
    }
}
