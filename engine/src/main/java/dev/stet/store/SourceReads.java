package dev.stet.store;

import java.io.Closeable;
import java.io.IOException;

/** Reads of several objects, one after another, by one thread. */
@FunctionalInterface
public interface SourceReads extends Closeable {
    /** As {@link SourceStore#open}. The read before it must be closed. */
    ObjectRead open(ObjectInfo object) throws IOException;

    /** Gives up what was fetched and never opened. */
    @Override
    default void close() {}
}
