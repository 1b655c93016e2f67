package dev.stet.audit;

/**
 * Digest of a multiset of records: their number, their bytes (framing excluded) and the sum modulo 2^128 of the XXH3-128 (seed 0) of each. It
 * adds up over any split of the records, in any order (design §3).
 */
public record Digest(long count, long bytes, long sumHigh, long sumLow) {
    public static final Digest EMPTY = new Digest(0, 0, 0, 0);

    public Digest plus(Digest other) {
        long low = sumLow + other.sumLow;
        long carry = Long.compareUnsigned(low, sumLow) < 0 ? 1 : 0;
        return new Digest(count + other.count, bytes + other.bytes, sumHigh + other.sumHigh + carry, low);
    }

    /** {@code count:bytes:32 hex digits}, the form in reports, rows and ground truth. */
    @Override
    public String toString() {
        return "%d:%d:%016x%016x".formatted(count, bytes, sumHigh, sumLow);
    }

    /** Parses the form of {@link #toString()}. */
    public static Digest parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3 || parts[2].length() != 32) {
            throw new IllegalArgumentException("not a digest (count:bytes:32 hex digits): " + text);
        }
        return new Digest(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseUnsignedLong(parts[2], 0, 16, 16),
                Long.parseUnsignedLong(parts[2], 16, 32, 16));
    }
}
