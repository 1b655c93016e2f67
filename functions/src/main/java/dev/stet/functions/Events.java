package dev.stet.functions;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads fields of events; one that is missing is named. */
final class Events {
    private Events() {}

    static Optional<String> optionalText(JsonNode event, String field) {
        JsonNode there = event.path(field);
        return there.isString() ? Optional.of(there.stringValue()) : Optional.empty();
    }

    static String text(JsonNode event, String field) {
        return optionalText(event, field)
                .orElseThrow(() -> new RefusedRunException("the event has no text '" + field + "': " + shown(event)));
    }

    static long number(JsonNode event, String field) {
        JsonNode there = event.path(field);
        if (!there.isIntegralNumber()) {
            throw new RefusedRunException("the event has no whole number '" + field + "': " + shown(event));
        }
        return there.longValue();
    }

    static JsonNode object(JsonNode event, String field) {
        JsonNode there = event.path(field);
        if (!there.isObject()) {
            throw new RefusedRunException("the event has no object '" + field + "': " + shown(event));
        }
        return there;
    }

    private static String shown(JsonNode event) {
        String text = event.toString();
        return text.length() <= 500 ? text : text.substring(0, 500) + "…";
    }
}
