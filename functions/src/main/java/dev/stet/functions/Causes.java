package dev.stet.functions;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Errors as states tell them, {@code {"Error":…,"Cause":…}}, in one line for users. The cause of a failed function is its error as JSON, and long. */
final class Causes {
    private static final int MAX_CHARACTERS = 1_000;

    private Causes() {}

    /** Empty where {@code error} is none. */
    static Optional<String> of(JsonNode error) {
        return error.path("Error").isString() ? Optional.of(told(error)) : Optional.empty();
    }

    private static String told(JsonNode error) {
        String name = error.path("Error").asString("");
        String cause = error.path("Cause").asString("");
        Optional<String> message = message(cause);
        // The class of an exception says nothing to users that its message does not.
        return message.isPresent() ? message.get() : line(name + (cause.isEmpty() ? "" : ": " + cause));
    }

    /** What a function said. */
    private static Optional<String> message(String cause) {
        try {
            return Events.optionalText(JsonMapper.shared().readTree(cause), "errorMessage")
                    .map(Causes::line);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    static String line(String text) {
        String line = text.replaceAll("\\s*\\R\\s*", " ");
        return line.length() <= MAX_CHARACTERS ? line : line.substring(0, MAX_CHARACTERS) + "…";
    }
}
