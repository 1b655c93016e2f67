package dev.stet.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * A window on a stream that lets decoders look ahead and stop at any byte. Reads in big pieces; large reads of a caller go past the window. What
 * the stream throws passes unchanged. Not thread-safe.
 */
final class SourceBuffer extends InputStream {
    static final int CAPACITY = 1 << 16;

    private InputStream in;
    private final byte[] bytes = new byte[CAPACITY];
    private int position;
    private int limit;
    private boolean ended;

    SourceBuffer(InputStream in) {
        this.in = in;
    }

    /** Begins another stream, forgetting what is left of the last one. */
    void reset(InputStream next) {
        in = next;
        position = 0;
        limit = 0;
        ended = false;
    }

    /** Makes {@code count} bytes available if the stream has them; returns how many are, at least as many as asked for unless it ends. */
    int peek(int count) throws IOException {
        while (available() < count && !ended) {
            if (bytes.length - position < count) {
                System.arraycopy(bytes, position, bytes, 0, limit - position);
                limit -= position;
                position = 0;
            }
            fill();
        }
        return available();
    }

    private void fill() throws IOException {
        if (position == limit) {
            position = 0;
            limit = 0;
        }
        int read = in.read(bytes, limit, bytes.length - limit);
        if (read < 0) {
            ended = true;
        } else {
            limit += read;
        }
    }

    /** Unsigned value of the byte {@code ahead} of the position; it must have been {@link #peek peeked}. */
    int byteAt(int ahead) {
        return bytes[position + ahead] & 0xFF;
    }

    /** The number in four bytes ahead, the lowest first. */
    int littleEndian32(int ahead) {
        return byteAt(ahead) | byteAt(ahead + 1) << 8 | byteAt(ahead + 2) << 16 | byteAt(ahead + 3) << 24;
    }

    /** The number in four bytes ahead, the highest first. */
    int bigEndian32(int ahead) {
        return Integer.reverseBytes(littleEndian32(ahead));
    }

    /** The window's array; the bytes not yet taken start at {@link #position}, {@link #available} of them. */
    byte[] bytes() {
        return bytes;
    }

    int position() {
        return position;
    }

    @Override
    public int available() {
        return limit - position;
    }

    void take(int count) {
        position += count;
    }

    @Override
    public int read() throws IOException {
        return position < limit || peek(1) > 0 ? bytes[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (position == limit && length >= CAPACITY && !ended) {
            int read = in.read(into, offset, length);
            ended = read < 0;
            return read;
        }
        int count = Math.min(peek(1), length);
        if (count == 0) {
            return -1;
        }
        System.arraycopy(bytes, position, into, offset, count);
        position += count;
        return count;
    }
}
