package dev.stet.codec;

import java.io.IOException;

/**
 * What the packing encoders share. Records are small and each call into native code costs as much as packing a few hundred bytes, so they are
 * gathered first. The gathered pieces always have the same size: what a compressor makes of bytes may depend on how they are cut.
 */
abstract sealed class FrameEncoder implements SliceEncoder permits GzipEncoder, ZstdEncoder {
    private static final int CAPACITY = 1 << 16;

    private final byte[] gathered = new byte[CAPACITY];
    private final byte[] packed = new byte[CAPACITY];
    private int count;
    private long written;
    private ByteSink out = (bytes, from, to) -> {};

    /** Starts a frame, whatever became of the last one. */
    abstract void beginFrame() throws IOException;

    /** Packs {@code bytes[0, length)}, all of it, by way of {@link #emit}. */
    abstract void pack(byte[] bytes, int length) throws IOException;

    abstract void endFrame() throws IOException;

    @Override
    public final void begin(ByteSink sink) throws IOException {
        out = sink;
        count = 0;
        written = 0;
        beginFrame();
    }

    @Override
    public final void write(byte[] bytes, int from, int to) throws IOException {
        int at = from;
        while (to - at >= CAPACITY - count) {
            int fill = CAPACITY - count;
            System.arraycopy(bytes, at, gathered, count, fill);
            at += fill;
            count = 0;
            pack(gathered, CAPACITY);
        }
        System.arraycopy(bytes, at, gathered, count, to - at);
        count += to - at;
    }

    @Override
    public final long end() throws IOException {
        if (count > 0) {
            pack(gathered, count);
        }
        endFrame();
        return written;
    }

    /** Where packed bytes are put before they are {@link #emit emitted}. */
    final byte[] packed() {
        return packed;
    }

    final void emit(byte[] bytes, int length) throws IOException {
        if (length > 0) {
            out.write(bytes, 0, length);
            written += length;
        }
    }
}
