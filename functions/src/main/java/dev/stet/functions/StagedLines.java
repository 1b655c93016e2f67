package dev.stet.functions;

import dev.stet.audit.Crc32c;
import dev.stet.stage.StagedObjects;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes a text object in staging, line by line, in bounded memory. Not thread-safe. */
final class StagedLines implements Closeable {
    private final ObjectStore staging;
    private final String key;
    private final ObjectWriter writer;
    private int crc32c = Crc32c.of(new byte[0], 0, 0);

    StagedLines(ObjectStore staging, String key) throws IOException {
        this.staging = staging;
        this.key = key;
        this.writer = staging.create(key);
    }

    /** Where the next line begins. */
    long at() {
        return writer.length();
    }

    /** Adds a line. @return its bytes, without its end */
    int add(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        crc32c = Crc32c.combine(crc32c, Crc32c.of(bytes, 0, bytes.length), bytes.length);
        writer.write(bytes, 0, bytes.length);
        return bytes.length - 1;
    }

    /** Makes the object visible. */
    void complete() throws IOException {
        StagedObjects.complete(staging, key, writer, crc32c);
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
