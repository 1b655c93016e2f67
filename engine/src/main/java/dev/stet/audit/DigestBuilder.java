package dev.stet.audit;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;

/** Adds records up to a {@link Digest}. Not thread-safe; reused. */
public final class DigestBuilder {
    private static final Hasher128 XXH3 = Hashing.xxh3_128();

    private final HashStream128 stream = XXH3.hashStream();
    private long streamed;
    private long count;
    private long bytes;
    private long high;
    private long low;

    /** Adds the record {@code buffer[from, to)}. */
    public void add(byte[] buffer, int from, int to) {
        addHash(XXH3.hashBytesTo128Bits(buffer, from, to - from), to - from);
    }

    /** Adds the next bytes of a record that comes in pieces; {@link #endPieces()} ends it. */
    public void addPiece(byte[] buffer, int from, int to) {
        stream.putBytes(buffer, from, to - from);
        streamed += to - from;
    }

    /** Ends the record that came in pieces. */
    public void endPieces() {
        addHash(stream.get(), streamed);
        dropPieces();
    }

    /** Forgets the pieces added since the last whole record. */
    public void dropPieces() {
        stream.reset();
        streamed = 0;
    }

    private void addHash(HashValue128 hash, long length) {
        long sum = low + hash.getLeastSignificantBits();
        high += hash.getMostSignificantBits() + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
        low = sum;
        count++;
        bytes += length;
    }

    public Digest digest() {
        return new Digest(count, bytes, high, low);
    }

    public void reset() {
        dropPieces();
        count = bytes = high = low = 0;
    }
}
