package dev.stet.stage;

import dev.stet.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A range of an object, fetched block by block, so that thousands can be read side by side without a connection each; the next block may be fetched while one is read. Not thread-safe. */
public final class BlockInputStream extends InputStream {
    private final ObjectStore store;
    private final String key;
    private final int blockBytes;
    private final long end;
    private long nextBlock;
    private byte[] block = new byte[0];
    private int at;
    private int limit;
    private final ReadsAhead reads;
    private Optional<ReadsAhead.Begun<byte[]>> ahead = Optional.empty();

    public BlockInputStream(ObjectStore store, String key, long offset, long length, int blockBytes) {
        this(store, key, offset, length, blockBytes, ReadsAhead.NONE);
    }

    /** @param reads by which the next block is begun as soon as one is there */
    public BlockInputStream(ObjectStore store, String key, long offset, long length, int blockBytes, ReadsAhead reads) {
        this.reads = reads;
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
        long forward = offset - position();
        if (forward < 0 || offset > end) {
            throw new IllegalArgumentException("cannot go from " + position() + " to " + offset);
        }
        if (forward <= limit - at) {
            at += (int) forward;
        } else {
            nextBlock = offset;
            at = limit = 0;
            ahead = Optional.empty();
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
        if (reads.isNone()) {
            if (block.length < want) {
                block = new byte[want];
            }
            fetch(nextBlock, want, block);
        } else {
            begin();
            block = ahead.orElseThrow().get();
            ahead = Optional.empty();
        }
        nextBlock += want;
        at = 0;
        limit = want;
        begin();
        return true;
    }

    /** Begins the next block, unless it is begun: then whoever reads waits for it alone. Nothing that a {@link ReadsAhead.Read} does waits for another one. */
    void begin() {
        long from = nextBlock;
        int want = (int) Math.min(blockBytes, end - from);
        if (ahead.isEmpty() && want > 0 && !reads.isNone()) {
            ahead = Optional.of(reads.begin(() -> fetch(from, want, new byte[want])));
        }
    }

    private byte[] fetch(long offset, int want, byte[] into) throws IOException {
        try (InputStream in = store.read(key, offset, want)) {
            if (in.readNBytes(into, 0, want) < want) {
                throw new EOFException("too short: " + store.describe(key));
            }
        }
        return into;
    }
}
