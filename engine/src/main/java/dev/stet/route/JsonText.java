package dev.stet.route;

/** What routing needs to know of the inside of JSON strings, on raw bytes. */
final class JsonText {
    private static final int UNICODE_ESCAPE = 6;

    private JsonText() {}

    /** Whether the bytes are valid UTF-8: shortest forms, no surrogates, nothing past U+10FFFF. */
    static boolean isUtf8(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (bytes[at] >= 0) {
                at++;
                continue;
            }
            int size = sequenceLength(bytes, at, to);
            if (size == 0) {
                return false;
            }
            at += size;
        }
        return true;
    }

    /** Length of the well-formed sequence of several bytes at {@code at} (Unicode, table 3-7), or 0. */
    private static int sequenceLength(byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xFF;
        int size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        if (size == 0 || to - at < size) {
            return 0;
        }
        int second = bytes[at + 1] & 0xFF;
        int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return 0;
        }
        for (int i = 2; i < size; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return size;
    }

    /** The code point written by the escape at {@code at}, a surrogate pair taken as one; -1 for a lone surrogate. */
    static int codePoint(byte[] bytes, int at, int to) {
        byte kind = at + 1 < to ? bytes[at + 1] : 0;
        if (kind != 'u') {
            return simpleEscape(kind);
        }
        int unit = unit(bytes, at, to);
        if (unit < 0 || !Character.isSurrogate((char) unit)) {
            return unit;
        }
        int low = unit(bytes, at + UNICODE_ESCAPE, to);
        boolean pair = low >= 0 && Character.isHighSurrogate((char) unit) && Character.isLowSurrogate((char) low);
        return pair ? Character.toCodePoint((char) unit, (char) low) : -1;
    }

    /** Bytes taken by the escape at {@code at}, for which {@link #codePoint} gave a code point. */
    static int escapeLength(byte[] bytes, int at) {
        if (bytes[at + 1] != 'u') {
            return 2;
        }
        boolean surrogate = Character.isSurrogate((char) unit(bytes, at, bytes.length));
        return surrogate ? 2 * UNICODE_ESCAPE : UNICODE_ESCAPE;
    }

    private static int simpleEscape(byte kind) {
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> -1;
        };
    }

    private static int unit(byte[] bytes, int at, int to) {
        if (to - at < UNICODE_ESCAPE || bytes[at] != '\\' || bytes[at + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = at + 2; i < at + UNICODE_ESCAPE; i++) {
            int digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    /** Unescapes a string that is ASCII once unescaped and fits; returns its length, or -1. */
    static int unescapeAscii(byte[] bytes, int from, int to, byte[] into) {
        int length = 0;
        int at = from;
        while (at < to) {
            int next = bytes[at];
            int size = 1;
            if (next == '\\') {
                next = codePoint(bytes, at, to);
                size = next < 0 ? 1 : escapeLength(bytes, at);
            }
            if (next < 0 || next > 0x7F || length == into.length) {
                return -1;
            }
            into[length++] = (byte) next;
            at += size;
        }
        return length;
    }
}
