package dev.stet.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks at eight bytes at a time. In every mask the lowest set bit is exact (a borrow only spoils what lies above it), and the bytes are read little
 * endian, so the first hit in the text is the lowest bit.
 */
final class Swar {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;
    private static final long SPACES = ' ' * ONES;

    private Swar() {}

    static long longAt(byte[] b, int p) {
        return (long) LONGS.get(b, p);
    }

    static int intAt(byte[] b, int p) {
        return (int) INTS.get(b, p);
    }

    /** The first quote, backslash or control character (so the NUL at the window's end, too) at or after p. */
    static int plainEnd(byte[] b, int p) {
        int at = p;
        while (true) {
            long stops = stops(longAt(b, at));
            if (stops != 0) {
                return at + (Long.numberOfTrailingZeros(stops) >>> 3);
            }
            at += 8;
        }
    }

    /** Turning one bit over makes a quote the neighbour of the control characters: one comparison finds both. */
    private static long stops(long x) {
        long quoteOrControl = (x ^ (0x02 * ONES)) - 0x21 * ONES;
        long backslash = (x ^ ('\\' * ONES)) - ONES;
        return (quoteOrControl | backslash) & ~x & HIGH;
    }

    /** The first byte at or after p that is no digit. */
    static int digitsEnd(byte[] b, int p) {
        int at = p;
        while (true) {
            long x = longAt(b, at) ^ ('0' * ONES);
            long other = (((x & ~HIGH) + 0x76 * ONES) | x) & HIGH;
            if (other != 0) {
                return at + (Long.numberOfTrailingZeros(other) >>> 3);
            }
            at += 8;
        }
    }

    /** The first byte at or after p that is no space. */
    static int spacesEnd(byte[] b, int p) {
        int at = p;
        while (true) {
            long x = longAt(b, at) ^ SPACES;
            if (x != 0) {
                return at + (Long.numberOfTrailingZeros(x) >>> 3);
            }
            at += 8;
        }
    }

    /** The first line feed in {@code [p, limit)}, or limit. */
    static int lineFeed(byte[] b, int p, int limit) {
        for (int at = p; at < limit; at += 8) {
            long x = longAt(b, at) ^ ('\n' * ONES);
            long hits = (x - ONES) & ~x & HIGH;
            if (hits != 0) {
                return Math.min(limit, at + (Long.numberOfTrailingZeros(hits) >>> 3));
            }
        }
        return limit;
    }
}
