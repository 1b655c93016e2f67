package dev.stet.route;

/**
 * A partition path being written, folder by folder. Values are percent-encoded per UTF-8 byte, all but {@code A-Z a-z 0-9 - . _ ~} (rule book D26).
 * Reused; not thread-safe.
 */
final class PathBuffer {
    /** The longest folder name (rule book D29): the limit of most file systems. */
    static final int MAX_FOLDER = 255;

    /** What became of a value. */
    enum Outcome {
        WRITTEN,
        INVALID_UTF8,
        LONE_SURROGATE,
        TOO_LONG
    }

    private final byte[] bytes;
    private int length;
    private int folderStart;

    PathBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    void clear() {
        length = 0;
        folderStart = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void beginFolder() {
        if (length > 0) {
            bytes[length++] = '/';
        }
        folderStart = length;
    }

    /** Begins a folder (or several) with text that is encoded already. Empty text is no folder. */
    void folder(byte[] encoded) {
        folder(encoded, encoded.length);
    }

    void folder(byte[] encoded, int size) {
        if (size > 0) {
            beginFolder();
            System.arraycopy(encoded, 0, bytes, length, size);
            length += size;
        }
    }

    /** Adds a JSON value, {@code source[from, to)}, to the folder begun last. */
    Outcome value(byte[] source, int from, int to, boolean escaped) {
        int end = Math.min(to, from + folderStart + MAX_FOLDER - length);
        int in = from;
        int out = length;
        while (in < end && PercentEncoding.isPlain(source[in])) {
            bytes[out++] = source[in++];
        }
        length = out;
        return in == to ? Outcome.WRITTEN : special(source, in, to, escaped);
    }

    /** The rest of a value, from the first byte that does not stand for itself or has no room. Reads to the end, for the worst fault there is. */
    private Outcome special(byte[] source, int from, int to, boolean escaped) {
        if (!JsonText.isUtf8(source, from, to)) {
            return Outcome.INVALID_UTF8;
        }
        boolean fits = true;
        int in = from;
        while (in < to) {
            byte next = source[in];
            if (next == '\\' && escaped) {
                int point = JsonText.codePoint(source, in, to);
                if (point < 0) {
                    return Outcome.LONE_SURROGATE;
                }
                fits &= add(point);
                in += JsonText.escapeLength(source, in);
            } else {
                fits &= addByte(next);
                in++;
            }
        }
        return fits ? Outcome.WRITTEN : Outcome.TOO_LONG;
    }

    private boolean add(int point) {
        if (point < 0x80) {
            return addByte(point);
        }
        if (point < 0x800) {
            return addByte(0xC0 | (point >> 6)) && addContinuation(point);
        }
        if (point < 0x10000) {
            return addByte(0xE0 | (point >> 12)) && addContinuation(point >> 6) && addContinuation(point);
        }
        return addByte(0xF0 | (point >> 18))
                && addContinuation(point >> 12)
                && addContinuation(point >> 6)
                && addContinuation(point);
    }

    private boolean addContinuation(int bits) {
        return addByte(0x80 | (bits & 0x3F));
    }

    /** Adds one byte of a value, as itself or as a triple; false when the folder is full. */
    private boolean addByte(int value) {
        byte one = (byte) value;
        boolean plain = PercentEncoding.isPlain(one);
        if (length - folderStart + (plain ? 1 : 3) > MAX_FOLDER) {
            return false;
        }
        if (plain) {
            bytes[length++] = one;
        } else {
            length = PercentEncoding.triple(one, bytes, length);
        }
        return true;
    }

    /** Encodes what readers of lakes would take the namespace written last for: a hidden folder, or a step up (rule book D26). */
    Outcome maskNamespace() {
        byte first = bytes[folderStart];
        if (first != '.' && first != '_') {
            return Outcome.WRITTEN;
        }
        int masked = length - folderStart == 2 && first == '.' && bytes[folderStart + 1] == '.' ? 2 : 1;
        int grown = length + 2 * masked;
        if (grown - folderStart > MAX_FOLDER) {
            return Outcome.TOO_LONG;
        }
        int rest = folderStart + masked;
        System.arraycopy(bytes, rest, bytes, rest + 2 * masked, length - rest);
        for (int i = 0, at = folderStart; i < masked; i++) {
            at = PercentEncoding.triple(first, bytes, at);
        }
        length = grown;
        return Outcome.WRITTEN;
    }
}
