package dev.stet.store;

import java.io.Closeable;
import java.io.IOException;

/** One object being written. Not thread-safe. Closing without {@link #complete} leaves the unfinished write for {@link ObjectStore#abortUploads}. */
public interface ObjectWriter extends Closeable {
    /** What the effect of completing was. */
    enum Outcome {
        CREATED,
        /** An object of that key was there before (or this very one, by a request whose answer was lost): compare. */
        EXISTS
    }

    void write(byte[] bytes, int from, int to) throws IOException;

    /** Bytes written so far. */
    long length();

    /**
     * Makes the object visible under its key unless one is there already; its content is durable when this returns.
     *
     * @param crc32c of all bytes written, verified by the store where it can
     */
    Outcome complete(int crc32c) throws IOException;

    /** Gives the unfinished write up and frees what it holds. */
    void abort() throws IOException;

    @Override
    void close() throws IOException;
}
