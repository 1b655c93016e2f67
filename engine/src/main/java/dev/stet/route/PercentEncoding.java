package dev.stet.route;

/** The encoding of folder names (rule book D26): RFC 3986's, upper-case hex, everything but the unreserved characters. One-to-one. */
final class PercentEncoding {
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    /** A table: the question is asked of every byte of every routed value. Never written to after this. */
    private static final boolean[] PLAIN = plain();

    private PercentEncoding() {}

    private static boolean[] plain() {
        boolean[] table = new boolean[256];
        UNRESERVED.chars().forEach(c -> table[c] = true);
        return table;
    }

    /** Whether the byte stands for itself. */
    static boolean isPlain(byte value) {
        return PLAIN[value & 0xFF];
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
