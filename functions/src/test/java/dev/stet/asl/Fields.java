package dev.stet.asl;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The fields of one object of a definition. Each is asked for by name; {@link #end} refuses what was not asked for. */
final class Fields {
    private final String where;
    private final JsonNode node;
    private final Set<String> left;

    Fields(String where, JsonNode node) {
        this.where = where;
        this.node = node;
        if (!node.isObject()) {
            throw refused("is no object");
        }
        this.left = new TreeSet<>(node.propertyNames());
    }

    String where() {
        return where;
    }

    RefusedException refused(String what) {
        return new RefusedException(where + " " + what);
    }

    boolean has(String name) {
        return node.has(name);
    }

    Optional<JsonNode> any(String name) {
        left.remove(name);
        return Optional.ofNullable(node.get(name));
    }

    JsonNode required(String name) {
        return any(name).orElseThrow(() -> refused("lacks '" + name + "'"));
    }

    String text(String name) {
        return optionalText(name).orElseThrow(() -> refused("lacks '" + name + "'"));
    }

    Optional<String> optionalText(String name) {
        return any(name).map(n -> {
            if (!n.isString()) {
                throw refused("has no string as '" + name + "': " + n);
            }
            return n.stringValue();
        });
    }

    Optional<Double> number(String name, double min, double max) {
        return any(name).map(n -> {
            if (!n.isNumber() || n.doubleValue() < min || n.doubleValue() > max) {
                throw refused("has '" + name + "' " + n + ", not a number from " + min + " to " + max);
            }
            return n.doubleValue();
        });
    }

    Optional<Integer> count(String name, int min, int max) {
        return number(name, min, max).map(d -> {
            if (d != Math.rint(d)) {
                throw refused("has '" + name + "' " + d + ", not a whole number");
            }
            return d.intValue();
        });
    }

    Optional<Fields> object(String name) {
        return any(name).map(n -> new Fields(where + ": " + name, n));
    }

    <T> List<T> list(String name, Function<Fields, T> element) {
        List<T> all = new ArrayList<>();
        for (JsonNode n : any(name).map(this::array).orElse(List.of())) {
            all.add(element.apply(new Fields(where + ": " + name + "[" + all.size() + "]", n)));
        }
        return List.copyOf(all);
    }

    List<String> texts(String name) {
        List<String> all = new ArrayList<>();
        for (JsonNode n : array(required(name))) {
            if (!n.isString()) {
                throw refused("has no string in '" + name + "': " + n);
            }
            all.add(n.stringValue());
        }
        return List.copyOf(all);
    }

    private List<JsonNode> array(JsonNode n) {
        if (!n.isArray() || n.isEmpty()) {
            throw refused("has no list with elements where one is due: " + n);
        }
        return List.copyOf(n.values());
    }

    /** The names not asked for yet. */
    Set<String> left() {
        return Set.copyOf(left);
    }

    void exactly(String name, String value) {
        String there = text(name);
        if (!there.equals(value)) {
            throw refused("has '" + name + "' " + there + "; only " + value + " is known");
        }
    }

    void end() {
        if (!left.isEmpty()) {
            throw refused("has what is not known: " + left);
        }
    }
}
