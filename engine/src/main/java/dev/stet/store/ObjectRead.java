package dev.stet.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/** One pinned read of a whole source object. */
public interface ObjectRead extends Closeable {
    /** The version id, where the store has them. */
    default java.util.Optional<String> version() {
        return java.util.Optional.empty();
    }

    /** The stored bytes. A body shorter than the object's size is an {@link IOException}, not an end. */
    InputStream body();

    /**
     * To be called when the body was read to its end: looks again where that is needed, and says what was read.
     *
     * @throws ObjectChangedException when the object changed while it was read; nothing read may be used
     */
    ObjectIdentity finish() throws IOException;

    @Override
    void close() throws IOException;
}
