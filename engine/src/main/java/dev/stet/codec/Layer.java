package dev.stet.codec;

import dev.stet.record.Reason;
import dev.stet.record.WholeObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * One layer of compression: the content of all its members or frames, run together. Ends before the first byte that is none of theirs, and leaves
 * that to its source. Not thread-safe.
 */
abstract sealed class Layer extends InputStream permits GzipLayer, ZstdLayer, Bzip2Layer {
    private final SourceBuffer source;
    private boolean ended;

    Layer(SourceBuffer source) {
        this.source = source;
    }

    /** Reads at least one byte of content, or returns -1 if no part follows. */
    abstract int readContent(SourceBuffer in, byte[] into, int offset, int length) throws IOException;

    /** Zero bytes that were taken before it showed that something else comes after them. */
    long zerosBeforeTrailing() {
        return 0;
    }

    final boolean ended() {
        return ended;
    }

    /** Where the bytes after the layer are read from, once it has ended. */
    final SourceBuffer source() {
        return source;
    }

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public final int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (ended) {
            return -1;
        }
        try {
            int count = readContent(source, into, offset, length);
            ended = count < 0;
            return count;
        } catch (DamagedDataException e) {
            throw wholeObject(Reason.CORRUPT_COMPRESSION, e);
        } catch (UnsupportedDataException e) {
            throw wholeObject(Reason.UNSUPPORTED_COMPRESSION, e);
        }
    }

    private static WholeObjectException wholeObject(Reason reason, IOException cause) {
        var exception = new WholeObjectException(reason, Objects.requireNonNullElse(cause.getMessage(), "damaged"));
        exception.initCause(cause);
        return exception;
    }

    /** Releases what the decoder holds; the source stays open. */
    @Override
    public abstract void close();
}
