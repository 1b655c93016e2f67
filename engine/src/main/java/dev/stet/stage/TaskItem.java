package dev.stet.stage;

import dev.stet.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a task's line lies: what a fan-out hands to a worker. Its line form is {@code {"key":"plans/…","offset":0,"length":123}}.
 *
 * @param key in staging
 * @param length bytes, the line feed not counted
 */
public record TaskItem(String key, long offset, long length) {
    /** The line form, without a line feed. */
    public String toLine() {
        StringBuilder line = new StringBuilder(96).append("{\"key\":");
        JsonText.quote(line, key);
        return line.append(",\"offset\":")
                .append(offset)
                .append(",\"length\":")
                .append(length)
                .append('}')
                .toString();
    }

    /**
     * Reads the line form.
     *
     * @throws IllegalArgumentException when it is none; the message is for the user
     */
    public static TaskItem ofLine(String line) {
        try {
            JsonNode node = JsonMapper.shared().readTree(line);
            if (node.path("key").isString()
                    && node.path("offset").isIntegralNumber()
                    && node.path("length").isIntegralNumber()) {
                return new TaskItem(
                        node.path("key").stringValue(),
                        node.path("offset").longValue(),
                        node.path("length").longValue());
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not the place of a task: " + line, e);
        }
        throw new IllegalArgumentException("not the place of a task, it needs key, offset and length: " + line);
    }

    /** The task's line. */
    public String read(ObjectStore staging) throws IOException {
        try (InputStream in = staging.read(key, offset, length)) {
            byte[] bytes = in.readAllBytes();
            if (bytes.length < length) {
                throw new EOFException("the plan is too short: " + staging.describe(key));
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
