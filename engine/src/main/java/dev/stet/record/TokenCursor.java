package dev.stet.record;

/**
 * Walks valid JSON as a reader means it: white space between tokens is left out, and strings are unescaped to UTF-8. Two texts that give the same
 * sequence are the same value written in two ways. (Not the other way round: {@code 1.0} and {@code 1} differ, and so do reordered keys.)
 */
final class TokenCursor {
    static final int END = -1;
    /** An unescaped quote, kept apart from the data byte an escaped one stands for. */
    private static final int QUOTE = 0x100;

    private byte[] bytes = new byte[0];
    private int pos;
    private int end;
    private boolean inString;
    private int pending;
    private int pendingBytes;

    /** Starts at {@code bytes[from, to)}, which is a whole value or, if {@code inString}, what stands between two quotes. */
    TokenCursor over(byte[] text, int from, int to, boolean insideString) {
        bytes = text;
        pos = from;
        end = to;
        inString = insideString;
        pendingBytes = 0;
        return this;
    }

    static boolean same(TokenCursor a, TokenCursor b) {
        while (true) {
            int next = a.next();
            if (next != b.next()) {
                return false;
            }
            if (next == END) {
                return true;
            }
        }
    }

    /** Whether the rest is exactly {@code name}. */
    boolean spells(byte[] name) {
        for (byte want : name) {
            if (next() != (want & 0xFF)) {
                return false;
            }
        }
        return next() == END;
    }

    int next() {
        if (pendingBytes > 0) {
            return pendingByte();
        }
        if (!inString) {
            while (pos < end && isSpace(bytes[pos])) {
                pos++;
            }
        }
        if (pos >= end) {
            return END;
        }
        byte c = bytes[pos++];
        if (c == '"') {
            inString = !inString;
            return QUOTE;
        }
        return c == '\\' ? escape() : c & 0xFF;
    }

    static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private int escape() {
        byte c = bytes[pos++];
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> codePoint();
            default -> c;
        };
    }

    private int codePoint() {
        int unit = hex(pos);
        pos += 4;
        if (Character.isHighSurrogate((char) unit) && end - pos >= 6 && bytes[pos] == '\\' && bytes[pos + 1] == 'u') {
            int low = hex(pos + 2);
            if (Character.isLowSurrogate((char) low)) {
                pos += 6;
                return utf8(Character.toCodePoint((char) unit, (char) low));
            }
        }
        return utf8(unit); // a lone surrogate gets the three bytes UTF-8 forbids: like nothing that is valid
    }

    private int hex(int p) {
        int value = 0;
        for (int i = p; i < p + 4; i++) {
            value = value << 4 | Character.digit(bytes[i], 16);
        }
        return value;
    }

    /** Returns the first byte and leaves the others pending. */
    private int utf8(int c) {
        if (c < 0x80) {
            return c;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        pending = c;
        pendingBytes = more;
        int lead = more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0;
        return lead | (c >>> (6 * more));
    }

    private int pendingByte() {
        pendingBytes--;
        return 0x80 | ((pending >>> (6 * pendingBytes)) & 0x3F);
    }
}
