package dev.stet.record;

import java.io.IOException;

/** What the first bytes tell of an object's encoding (rule book D2, D3). */
final class Encodings {
    private Encodings() {}

    /** Refuses UTF-16 and UTF-32. The window must be at the start of the object. */
    static void check(Window window) throws IOException {
        boolean four = window.require(4);
        byte[] b = window.buf;
        boolean marked = window.limit >= 2 && (is(b, 0xFE, 0xFF) || is(b, 0xFF, 0xFE));
        boolean utf32 = four && is(b, 0x00, 0x00, 0xFE, 0xFF);
        if (marked || utf32 || (four && zerosAlternate(b))) {
            throw new WholeObjectException(Reason.UNSUPPORTED_ENCODING, "the object is UTF-16 or UTF-32");
        }
    }

    private static boolean is(byte[] b, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if ((b[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean zerosAlternate(byte[] b) {
        boolean even = b[0] == 0 && b[2] == 0 && b[1] != 0 && b[3] != 0;
        boolean odd = b[1] == 0 && b[3] == 0 && b[0] != 0 && b[2] != 0;
        return even || odd;
    }

    /** Steps over a UTF-8 byte order mark, if one stands at the window's place. */
    static boolean takeByteOrderMark(Window window) throws IOException {
        if (!window.require(3)) {
            return false;
        }
        byte[] b = window.buf;
        int p = window.pos;
        boolean mark = b[p] == (byte) 0xEF && b[p + 1] == (byte) 0xBB && b[p + 2] == (byte) 0xBF;
        if (mark) {
            window.pos += 3;
        }
        return mark;
    }
}
