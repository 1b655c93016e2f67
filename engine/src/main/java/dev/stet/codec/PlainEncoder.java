package dev.stet.codec;

import java.io.IOException;

/** Leaves slices as they are. */
final class PlainEncoder implements SliceEncoder {
    private ByteSink out = (bytes, from, to) -> {};
    private long written;

    @Override
    public void begin(ByteSink sink) {
        out = sink;
        written = 0;
    }

    @Override
    public void write(byte[] bytes, int from, int to) throws IOException {
        out.write(bytes, from, to);
        written += to - from;
    }

    @Override
    public long end() {
        return written;
    }

    @Override
    public void close() {}
}
