package dev.stet.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** A walk through a key range in {@link KeyOrder}, page by page: memory does not grow with the number of keys. Not thread-safe. */
public interface ObjectListing extends Closeable {
    /** The next entry, or empty at the end of the range. */
    Optional<ListEntry> next() throws IOException;

    @Override
    void close();
}
