package dev.stet.stage;

import dev.stet.codec.ByteSink;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The bundle's bytes on their way to the store: opened with the first byte, checksummed as a whole and in stretches. Not thread-safe. */
final class BundleOutput implements ByteSink {
    private final ObjectStore staging;
    private final String key;
    private final CRC32C whole = new CRC32C();
    private final CRC32C stretch = new CRC32C();
    private Optional<ObjectWriter> writer = Optional.empty();
    private long position;

    private final BeforeFirstByte before;

    BundleOutput(ObjectStore staging, String key, BeforeFirstByte before) {
        this.staging = staging;
        this.key = key;
        this.before = before;
    }

    @Override
    public void write(byte[] bytes, int from, int to) throws IOException {
        open().write(bytes, from, to);
        whole.update(bytes, from, to - from);
        stretch.update(bytes, from, to - from);
        position += to - from;
    }

    private ObjectWriter open() throws IOException {
        if (writer.isEmpty()) {
            before.run();
            writer = Optional.of(staging.create(key));
        }
        return writer.get();
    }

    long position() {
        return position;
    }

    void startStretch() {
        stretch.reset();
    }

    int stretchCrc32c() {
        return (int) stretch.getValue();
    }

    int crc32c() {
        return (int) whole.getValue();
    }

    /** The store's writer; empty while nothing was written. */
    Optional<ObjectWriter> writer() {
        return writer;
    }
}
