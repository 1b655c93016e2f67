package dev.stet.asl;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import tools.jackson.databind.JsonNode;

/** Objects in memory, by {@code bucket/key}. */
final class InMemoryFiles implements ObjectFiles {
    private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();

    @Override
    public InputStream read(String bucket, String key) throws IOException {
        byte[] there = objects.get(bucket + "/" + key);
        if (there == null) {
            throw new FileNotFoundException(bucket + "/" + key);
        }
        return new ByteArrayInputStream(there);
    }

    @Override
    public void write(String bucket, String key, byte[] bytes) {
        objects.put(bucket + "/" + key, bytes);
    }

    void put(String key, String text) {
        objects.put(key, text.getBytes(StandardCharsets.UTF_8));
    }

    JsonNode json(String bucket, String key) throws IOException {
        return StateMachines.json().readTree(read(bucket, key).readAllBytes());
    }
}
