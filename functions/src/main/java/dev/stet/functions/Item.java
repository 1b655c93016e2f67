package dev.stet.functions;

import dev.stet.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/**
 * An item of a map: where a task's line lies in staging.
 *
 * @param n ordinal of the task in its round, from 0
 */
record Item(long n, String key, long offset, long length) {
    static Item of(JsonNode json) {
        return new Item(
                Events.number(json, "n"),
                Events.text(json, "key"),
                Events.number(json, "offset"),
                Events.number(json, "length"));
    }

    /** The task's line. */
    String read(ObjectStore staging) throws IOException {
        try (InputStream in = staging.read(key, offset, length)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
