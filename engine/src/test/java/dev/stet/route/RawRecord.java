package dev.stet.route;

import dev.stet.record.FieldPaths;
import dev.stet.record.FieldValues;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The fields of one record, found the slow way: the tests of routing do not wait for a framer, nor trust one. The record must be valid JSON. */
final class RawRecord implements FieldValues {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final byte[] bytes;
    private final FieldPaths paths;
    private final Map<String, Value> found = new HashMap<>();
    private final List<String> conflicts = new ArrayList<>();
    private int at;

    private record Value(Kind kind, int from, int to) {}

    private RawRecord(byte[] bytes, FieldPaths paths) {
        this.bytes = bytes;
        this.paths = paths;
    }

    static RawRecord of(String json, FieldPaths paths) {
        return of(json.getBytes(StandardCharsets.UTF_8), paths);
    }

    static RawRecord of(byte[] json, FieldPaths paths) {
        var record = new RawRecord(json, paths);
        record.value("");
        return record;
    }

    private Value value(String path) {
        space();
        int from = at;
        Kind kind = switch (bytes[at]) {
            case '{' -> object(path);
            case '[' -> array();
            case '"' -> string();
            default -> word();
        };
        return kind == Kind.STRING ? new Value(kind, from + 1, at - 1) : new Value(kind, from, at);
    }

    private Kind object(String path) {
        at++;
        while (!sees('}')) {
            space();
            int from = at;
            string();
            String name = JSON.readValue(text(from, at), String.class);
            String full = name.contains(".") ? "\0" : path.isEmpty() ? name : path + "." + name;
            sees(':');
            add(full, value(full));
            sees(',');
        }
        return Kind.OBJECT;
    }

    private void add(String path, Value value) {
        var first = found.putIfAbsent(path, value);
        if (first != null && !text(first.from, first.to).equals(text(value.from, value.to))) {
            conflicts.add(path);
        }
    }

    private Kind array() {
        at++;
        while (!sees(']')) {
            value("\0");
            sees(',');
        }
        return Kind.ARRAY;
    }

    private Kind string() {
        at++;
        while (bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        at++;
        return Kind.STRING;
    }

    private Kind word() {
        int from = at;
        while (at < bytes.length && ",]} \n\t\r".indexOf(bytes[at]) < 0) {
            at++;
        }
        return switch (text(from, at)) {
            case "true", "false" -> Kind.BOOLEAN;
            case "null" -> Kind.NULL;
            case "NaN", "Infinity", "-Infinity" -> Kind.BARE_WORD;
            default -> Kind.NUMBER;
        };
    }

    private boolean sees(char next) {
        space();
        if (bytes[at] != next) {
            return false;
        }
        at++;
        return true;
    }

    private void space() {
        while (" \n\t\r".indexOf(bytes[at]) >= 0) {
            at++;
        }
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private Value at(int path) {
        return found.getOrDefault(paths.paths().get(path), new Value(Kind.ABSENT, 0, 0));
    }

    @Override
    public Kind kind(int path) {
        return at(path).kind;
    }

    @Override
    public byte[] bytes(int path) {
        return bytes;
    }

    @Override
    public int from(int path) {
        return at(path).from;
    }

    @Override
    public int to(int path) {
        return at(path).to;
    }

    @Override
    public boolean escaped(int path) {
        var value = at(path);
        byte[] inside = Arrays.copyOfRange(bytes, value.from, value.to);
        return value.kind == Kind.STRING && new String(inside, StandardCharsets.ISO_8859_1).indexOf('\\') >= 0;
    }

    @Override
    public boolean conflicting(int path) {
        String full = paths.paths().get(path);
        return conflicts.stream().anyMatch(torn -> full.equals(torn) || full.startsWith(torn + "."));
    }
}
