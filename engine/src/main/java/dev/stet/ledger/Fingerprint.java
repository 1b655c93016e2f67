package dev.stet.ledger;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;

/**
 * What the offset ledger keeps of one source object: 80 bits of the hash of its key and 48 bits of the hash of its identity (ETag without quotes, and
 * size), 16 bytes in all (design §6, "page"). Two keys of one archive of 10^10 objects share 80 bits with a probability below 10^-4; a page compares
 * only its own thousand.
 *
 * @param keyHigh upper 64 bits of the key's hash
 * @param keyLow next 16 bits, as an unsigned value
 * @param identity 48 bits
 */
public record Fingerprint(long keyHigh, int keyLow, long identity) {
    private static final long MASK_48 = (1L << 48) - 1;

    public static Fingerprint of(String key, String etag, long size) {
        HashValue128 hash = hash(key);
        return new Fingerprint(
                hash.getMostSignificantBits(), (int) (hash.getLeastSignificantBits() >>> 48), identityOf(etag, size));
    }

    /** The fingerprint of a key alone, to look it up whatever its version. */
    public static Fingerprint ofKey(String key) {
        HashValue128 hash = hash(key);
        return new Fingerprint(hash.getMostSignificantBits(), (int) (hash.getLeastSignificantBits() >>> 48), 0);
    }

    private static HashValue128 hash(String key) {
        return Hashing.xxh3_128().hashBytesTo128Bits(key.getBytes(StandardCharsets.UTF_8));
    }

    private static long identityOf(String etag, long size) {
        byte[] text = (etag + '\0' + size).getBytes(StandardCharsets.UTF_8);
        return Hashing.xxh3_64().hashBytesToLong(text) & MASK_48;
    }

    /** Whether both are of the same key. */
    public boolean sameKey(Fingerprint other) {
        return keyHigh == other.keyHigh && keyLow == other.keyLow;
    }

    /** Unsigned order of the key bits. */
    static int compareKeys(long high, int low, Fingerprint other) {
        int c = Long.compareUnsigned(high, other.keyHigh);
        return c != 0 ? c : Integer.compare(low, other.keyLow);
    }
}
