package dev.stet.record;

import java.io.IOException;
import java.io.InputStream;

/**
 * The stretch of the source a framer looks at. Bytes from {@link #mark} on are held; what lies before may be overwritten when more is read. A NUL
 * stands at {@link #limit}, so that a scanner needs no check of its own for the end of the window: NUL is valid nowhere in JSON, and whoever meets
 * one compares its place with the limit. Behind it is room to read a whole long from any place up to the limit.
 */
final class Window {
    static final int NONE = -1;
    private static final int PADDING = 16;

    /** Called when the held span is about to outgrow the window: whoever is called must take {@code [mark, to)} away. */
    @FunctionalInterface
    interface Overflow {
        void spill(int to) throws IOException;
    }

    // Read and written directly by the scanner and the framer: they are one machine in several parts.
    byte[] buf;
    int limit;
    int mark;
    /** Where framing stands between values; scanners keep their own place. */
    int pos;
    /** First byte of a routed key or value being scanned, which must not be torn by a spill; or NONE. */
    int hold = NONE;
    /** Source offset of {@code buf[0]}. */
    long base;

    private final Limits limits;
    private final Overflow overflow;
    private InputStream in = InputStream.nullInputStream();
    private boolean ended;

    Window(Limits limits, Overflow overflow) {
        this.limits = limits;
        this.overflow = overflow;
        this.buf = new byte[limits.window() + PADDING];
    }

    /** @param offset of the source's first byte */
    void open(InputStream source, long offset) {
        in = source;
        ended = false;
        limit = 0;
        mark = 0;
        pos = 0;
        hold = NONE;
        base = offset;
        buf[0] = 0;
    }

    /** Lets go of the source, and of a buffer that only a huge record needed. */
    void close() {
        in = InputStream.nullInputStream();
        ended = true;
        if (buf.length > limits.kept() + PADDING) {
            buf = new byte[limits.window() + PADDING];
        }
    }

    /**
     * Reads on. Everything may move: only the returned place, {@link #mark}, {@link #pos} and {@link #hold} follow.
     *
     * @param p a place at or after the mark, up to which everything has been looked at
     * @return where p is now, or NONE if the source has ended
     */
    int refill(int p) throws IOException {
        if (ended) {
            return NONE;
        }
        int at = p;
        if (limit - mark >= limits.longSpan()) {
            spill(at);
        }
        if (limit + PADDING == buf.length) {
            int shift = mark;
            makeRoom();
            at -= shift;
        }
        int room = Math.min(buf.length - PADDING - limit, mark + limits.longSpan() - limit);
        int n = read(room);
        if (n < 0) {
            ended = true;
            return NONE;
        }
        limit += n;
        buf[limit] = 0;
        return at;
    }

    /** Whether {@code n} bytes lie ahead of {@link #pos}, after reading on where needed. */
    boolean require(int n) throws IOException {
        while (limit - pos < n) {
            if (refill(pos) == NONE) {
                return false;
            }
        }
        return true;
    }

    long offset(int p) {
        return base + p;
    }

    private int read(int room) throws IOException {
        int n = in.read(buf, limit, room);
        if (n != 0) {
            return n;
        }
        int one = in.read(); // a stream that breaks its contract must not make this spin
        if (one < 0) {
            return NONE;
        }
        buf[limit] = (byte) one;
        return 1;
    }

    private void spill(int p) throws IOException {
        if (hold != NONE && p - hold > limits.value()) {
            hold = NONE;
        }
        int to = hold == NONE ? p : hold;
        overflow.spill(to);
        mark = to;
    }

    /** Moves what is held to the front, into a larger buffer if it fills half of this one or more. */
    private void makeRoom() {
        int capacity = buf.length - PADDING;
        byte[] target = buf;
        if (mark <= capacity / 2 && capacity < limits.largestWindow()) {
            target = new byte[(int) Math.min(2L * capacity, limits.largestWindow()) + PADDING];
        }
        System.arraycopy(buf, mark, target, 0, limit - mark);
        buf = target;
        base += mark;
        limit -= mark;
        pos -= mark;
        hold = hold == NONE ? NONE : hold - mark;
        mark = 0;
        buf[limit] = 0;
    }

    /** For tests: the memory in use. */
    int capacity() {
        return buf.length;
    }
}
