package dev.stet.route;

/** The encoding of folder names (rule book D26): RFC 3986's, upper-case hex, everything but the unreserved characters. One-to-one. */
final class PercentEncoding {
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final long LOW = mask(0);
    private static final long HIGH = mask(64);

    private PercentEncoding() {}

    private static long mask(int base) {
        return UNRESERVED
                .chars()
                .filter(c -> c >= base && c < base + 64)
                .mapToLong(c -> 1L << c)
                .reduce(0, (a, b) -> a | b);
    }

    /** Whether the byte stands for itself. */
    static boolean isPlain(byte value) {
        return value >= 0 && ((value < 64 ? LOW : HIGH) >>> value & 1) != 0;
    }

    /** Writes {@code %XX}; returns the position after it. */
    static int triple(byte value, byte[] into, int at) {
        into[at] = '%';
        into[at + 1] = hex(value >> 4 & 0xF);
        into[at + 2] = hex(value & 0xF);
        return at + 3;
    }

    private static byte hex(int digit) {
        return (byte) (digit < 10 ? '0' + digit : 'A' + digit - 10);
    }
}
