package dev.stet.stage;

import dev.stet.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A range of an object, fetched block by block, so that thousands can be read side by side without a connection each. Not thread-safe. */
public final class BlockInputStream extends InputStream {
    private final ObjectStore store;
    private final String key;
    private final int blockBytes;
    private final long end;
    private long nextBlock;
    private byte[] block = new byte[0];
    private int at;
    private int limit;

    public BlockInputStream(ObjectStore store, String key, long offset, long length, int blockBytes) {
        this.store = store;
        this.key = key;
        this.blockBytes = blockBytes;
        this.nextBlock = offset;
        this.end = offset + length;
    }

    /** Where the next byte lies in the object. */
    public long position() {
        return nextBlock - (limit - at);
    }

    /** Goes on to {@code offset}, which must not lie behind. */
    public void skipTo(long offset) {
        long ahead = offset - position();
        if (ahead < 0 || offset > end) {
            throw new IllegalArgumentException("cannot go from " + position() + " to " + offset);
        }
        if (ahead <= limit - at) {
            at += (int) ahead;
        } else {
            nextBlock = offset;
            at = limit = 0;
        }
    }

    @Override
    public int read() throws IOException {
        return fill() ? block[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
        if (len == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int n = Math.min(len, limit - at);
        System.arraycopy(block, at, b, off, n);
        at += n;
        return n;
    }

    private boolean fill() throws IOException {
        if (at < limit) {
            return true;
        }
        int want = (int) Math.min(blockBytes, end - nextBlock);
        if (want <= 0) {
            return false;
        }
        if (block.length < want) {
            block = new byte[want];
        }
        try (InputStream in = store.read(key, nextBlock, want)) {
            if (in.readNBytes(block, 0, want) < want) {
                throw new EOFException("too short: " + store.describe(key));
            }
        }
        nextBlock += want;
        at = 0;
        limit = want;
        return true;
    }
}
