package dev.stet.asl;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A reference path of plain names: {@code $}, {@code $.a.b}, and {@code $$.a.b} into the context. Filters, wildcards and indexes are refused. */
record Path(boolean ofContext, List<String> names) {
    private static final Pattern FORM = Pattern.compile("\\$\\$?(\\.[A-Za-z_][A-Za-z0-9_]*)*");

    static final Path ROOT = new Path(false, List.of());

    static Path parse(String where, String text) {
        if (!FORM.matcher(text).matches()) {
            throw new RefusedException(where + " has a path that is not known: " + text);
        }
        boolean ofContext = text.startsWith("$$");
        String rest = text.substring(ofContext ? 2 : 1);
        return new Path(
                ofContext,
                rest.isEmpty() ? List.of() : List.of(rest.substring(1).split("\\.")));
    }

    /** A path to write to: into the input, never into the context. */
    static Path parseReference(String where, String text) {
        Path path = parse(where, text);
        if (path.ofContext) {
            throw new RefusedException(where + " writes into the context: " + text);
        }
        return path;
    }

    Optional<JsonNode> find(JsonNode input, JsonNode context) {
        JsonNode at = ofContext ? context : input;
        for (String name : names) {
            JsonNode next = at.get(name);
            if (next == null) {
                return Optional.empty();
            }
            at = next;
        }
        return Optional.of(at);
    }

    /** {@code input} with {@code value} put at this path. */
    JsonNode put(JsonNode input, JsonNode value) throws Failure {
        if (names.isEmpty()) {
            return value;
        }
        if (!input.isObject()) {
            throw new Failure("States.ResultPathMatchFailure", "cannot put " + this + " into " + input);
        }
        ObjectNode root = (ObjectNode) input.deepCopy();
        ObjectNode at = root;
        for (String name : names.subList(0, names.size() - 1)) {
            JsonNode next = at.get(name);
            if (next == null) {
                next = JsonNodeFactory.instance.objectNode();
                at.set(name, next);
            }
            if (!(next instanceof ObjectNode object)) {
                throw new Failure("States.ResultPathMatchFailure", "cannot put " + this + " into " + input);
            }
            at = object;
        }
        at.set(names.getLast(), value);
        return root;
    }

    @Override
    public String toString() {
        return (ofContext ? "$$" : "$") + (names.isEmpty() ? "" : "." + String.join(".", names));
    }
}
