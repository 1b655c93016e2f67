package dev.stet.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The bytes after each layer, innermost first. The end of one layer's is the end of the content of the next. */
final class TrailingBytes extends InputStream {
    private final List<Layer> layers;
    private int current = -1;
    private long zeros;

    TrailingBytes(List<Layer> layers) {
        this.layers = layers;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (current < 0 && !advance()) {
            return -1;
        }
        int count = readCurrent(into, offset, length);
        while (count < 0 && advance()) {
            count = readCurrent(into, offset, length);
        }
        return count;
    }

    private int readCurrent(byte[] into, int offset, int length) throws IOException {
        if (zeros > 0) {
            int count = (int) Math.min(zeros, length);
            Arrays.fill(into, offset, offset + count, (byte) 0);
            zeros -= count;
            return count;
        }
        return layers.get(current).source().read(into, offset, length);
    }

    private boolean advance() {
        if (current + 1 >= layers.size()) {
            return false;
        }
        var next = layers.get(current + 1);
        if (!next.ended()) {
            throw new IllegalStateException("the content has not been read to its end");
        }
        current++;
        zeros = next.zerosBeforeTrailing();
        return true;
    }
}
