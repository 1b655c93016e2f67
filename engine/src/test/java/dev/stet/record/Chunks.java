package dev.stet.record;

import java.io.InputStream;
import java.util.Random;

/** Gives its bytes in reads of random sizes, nothing at all now and then. */
final class Chunks extends InputStream {
    private final byte[] bytes;
    private final Random sizes;
    private final int most;
    private int pos;

    Chunks(byte[] bytes, Random sizes, int most) {
        this.bytes = bytes;
        this.sizes = sizes;
        this.most = most;
    }

    @Override
    public int read() {
        return pos == bytes.length ? -1 : bytes[pos++] & 0xFF;
    }

    @Override
    public int read(byte[] to, int from, int length) {
        if (pos == bytes.length) {
            return -1;
        }
        int n = Math.min(Math.min(length, sizes.nextInt(most + 1)), bytes.length - pos);
        System.arraycopy(bytes, pos, to, from, n);
        pos += n;
        return n;
    }
}
