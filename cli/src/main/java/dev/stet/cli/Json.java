package dev.stet.cli;

import java.util.Map;

/** Writes one flat JSON object: enough for events, without loading a JSON library at start. */
final class Json {
    private final StringBuilder text = new StringBuilder("{");

    Json put(String name, String value) {
        name(name);
        quote(value);
        return this;
    }

    Json put(String name, long value) {
        name(name);
        text.append(value);
        return this;
    }

    Json put(String name, boolean value) {
        name(name);
        text.append(value);
        return this;
    }

    Json put(String name, Map<String, Long> values) {
        name(name);
        text.append('{');
        String comma = "";
        for (Map.Entry<String, Long> entry : values.entrySet()) {
            text.append(comma);
            quote(entry.getKey());
            text.append(':').append(entry.getValue());
            comma = ",";
        }
        text.append('}');
        return this;
    }

    @Override
    public String toString() {
        return text + "}";
    }

    private void name(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        quote(name);
        text.append(':');
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || (Character.isSurrogate(c) && !paired(value, i))) {
                text.append("\\u%04x".formatted((int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    /** A surrogate alone cannot be written as UTF-8. */
    private static boolean paired(String value, int i) {
        return Character.isHighSurrogate(value.charAt(i))
                ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
    }
}
