package dev.stet.corpus;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Byte strings held as {@link String}s, one char a byte, so that a record under construction may hold invalid UTF-8 and still be built with a
 * {@link StringBuilder}.
 */
final class Octets {
    private Octets() {}

    static String utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return new String(text.getBytes(UTF_8), ISO_8859_1);
            }
        }
        return text;
    }

    static byte[] bytes(CharSequence octets) {
        return octets.toString().getBytes(ISO_8859_1);
    }

    /** For people, in messages. */
    static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    static boolean contains(byte[] bytes, char wanted) {
        for (byte b : bytes) {
            if (b == wanted) {
                return true;
            }
        }
        return false;
    }
}
