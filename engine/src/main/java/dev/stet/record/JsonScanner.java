package dev.stet.record;

import dev.stet.record.FieldValues.Kind;
import java.io.IOException;
import java.util.Arrays;

/**
 * Finds the end of one JSON value, validating it and capturing routed fields on the way, in a single pass. This is where the time of a copy goes, so
 * it is one loop over the bytes with everything rare moved out of it: a method whose name starts with {@code slow} also copes with the end of the
 * window, with escapes and with faults. Nothing recurses; an open container costs one bit.
 *
 * <p>Grammar: RFC 8259, plus bare NaN, Infinity and -Infinity (rule book D30); bytes of 0x80 and above are taken as they are (D4).
 *
 * <p>A place in the window is only good until the next refill; those that must survive one are source offsets, or {@link Window#hold}.
 */
final class JsonScanner {
    /** In place of the end of a value: there is none, see {@link #faultAt} and {@link #truncated}. */
    static final int BROKEN = -1;

    private static final int SLOW = -2;
    private static final int TRUE = 0x65757274;
    private static final int NULL = 0x6C6C756E;
    private static final int ALSE = 0x65736C61;
    private static final int LARGE_STACK = 1 << 10;

    private final Window window;
    private final CapturedFields fields;
    private final TokenCursor cursor = new TokenCursor();

    /** One bit for each open container but the innermost: set for an object. */
    private long[] enclosing = new long[4];

    private int depth;
    private boolean inObject;
    private PathNode node = PathNode.NONE;

    private boolean reading;
    private boolean multiLine;
    private boolean unwrapping;
    private boolean truncated;
    private int faultAt;

    // What a slow method has to say besides the end of its token.
    private int tokenStart;
    private boolean escaped;
    private boolean bareWord;

    JsonScanner(Window window, CapturedFields fields) {
        this.window = window;
        this.fields = fields;
    }

    /**
     * Scans the value that starts at window place p.
     *
     * @return the place behind its last byte, or BROKEN; or, with {@link #unwrapping}, the place behind the bracket of the list to unwrap
     */
    int scan(int p) throws IOException {
        fields.next();
        depth = 0;
        inObject = false;
        node = fields.root();
        multiLine = false;
        truncated = false;
        return read(p, false);
    }

    /** Goes on behind a list that was unwrapped. */
    int resume(int p) throws IOException {
        return read(p, true);
    }

    private int read(int p, boolean valueBefore) throws IOException {
        reading = true;
        int end = run(p, valueBefore);
        reading = false;
        return end;
    }

    /** What the window holds up to here is about to leave it. */
    void leaveWindow() {
        if (reading) {
            fields.leaveWindow();
        }
    }

    CapturedFields fields() {
        return fields;
    }

    /** Whether a line feed stands inside the value. */
    boolean multiLine() {
        return multiLine;
    }

    boolean unwrapping() {
        return unwrapping;
    }

    /** Whether the source ended inside the value. */
    boolean truncated() {
        return truncated;
    }

    /** The window place of the byte that cannot be, or the end of the source. */
    int faultAt() {
        return faultAt;
    }

    /** Gives back the memory of a very deep record. */
    void release() {
        reading = false;
        fields.release();
        if (enclosing.length > LARGE_STACK) {
            enclosing = new long[4];
        }
    }

    /** The loop: a value, with its key in an object, then what may follow one. */
    private int run(int start, boolean valueBefore) throws IOException {
        int p = start;
        boolean valueNext = !valueBefore;
        int open = depth;
        boolean object = inObject;
        PathNode at = node;
        byte[] b = window.buf;
        unwrapping = false;
        while (true) {
            if (valueNext) {
                PathNode field = PathNode.NONE;
                byte c = b[p];
                if (c <= ' ') {
                    p = slowSpace(p);
                    if (p < 0) {
                        return BROKEN;
                    }
                    b = window.buf;
                    c = b[p];
                }
                if (object) {
                    if (c != '"') {
                        return fault(p);
                    }
                    boolean routed = at.depth == open;
                    int from = p + 1;
                    p = Swar.plainEnd(b, from);
                    if (b[p] == '"') {
                        if (routed) {
                            field = at.match(b, from, p);
                        }
                    } else {
                        p = slowString(from, p, routed);
                        if (p < 0) {
                            return BROKEN;
                        }
                        b = window.buf;
                        if (routed) {
                            field = slowMatch(at, p);
                        }
                    }
                    c = b[++p];
                    if (c != ':') {
                        p = slowSpace(p);
                        if (p < 0) {
                            return BROKEN;
                        }
                        b = window.buf;
                        if (b[p] != ':') {
                            return fault(p);
                        }
                    }
                    c = b[++p];
                    if (c <= ' ') {
                        p = slowSpace(p);
                        if (p < 0) {
                            return BROKEN;
                        }
                        b = window.buf;
                        c = b[p];
                    }
                }
                if (c == '"') {
                    int from = p + 1;
                    boolean escapes = false;
                    p = Swar.plainEnd(b, from);
                    if (b[p] != '"') {
                        p = slowString(from, p, field != PathNode.NONE);
                        if (p < 0) {
                            return BROKEN;
                        }
                        b = window.buf;
                        from = tokenStart;
                        escapes = escaped;
                    }
                    if (field != PathNode.NONE) {
                        fields.scalar(field, Kind.STRING, from, p, escapes);
                    }
                    p++;
                } else if (c == '{' || c == '[') {
                    if (field.unwrap && c == '[') {
                        depth = open;
                        inObject = object;
                        node = at;
                        unwrapping = true;
                        return p + 1;
                    }
                    long from = window.offset(p);
                    byte next = b[++p];
                    if (next <= ' ') {
                        p = slowSpace(p);
                        if (p < 0) {
                            return BROKEN;
                        }
                        b = window.buf;
                        next = b[p];
                    }
                    if (next != c + 2) { // both closing brackets come two after the opening one
                        remember(open++, object);
                        object = c == '{';
                        if (field != PathNode.NONE) {
                            field.openedAt = from;
                            at = field;
                        }
                        continue;
                    }
                    p++;
                    if (field != PathNode.NONE) {
                        fields.container(field, c == '{' ? Kind.OBJECT : Kind.ARRAY, from, p);
                    }
                } else {
                    int from = p;
                    boolean bare = false;
                    p = scalarEnd(b, c, p);
                    if (p < 0) {
                        p = slowScalar(from, field != PathNode.NONE);
                        if (p < 0) {
                            return BROKEN;
                        }
                        b = window.buf;
                        from = tokenStart;
                        bare = bareWord;
                    }
                    if (field != PathNode.NONE) {
                        fields.scalar(field, kindOfScalar(c, bare), from, p, false);
                    }
                }
                if (open == 0) {
                    return p;
                }
            }
            valueNext = true;
            while (true) {
                byte c = b[p];
                if (c <= ' ') {
                    p = slowSpace(p);
                    if (p < 0) {
                        return BROKEN;
                    }
                    b = window.buf;
                    c = b[p];
                }
                p++;
                if (c == ',') {
                    break;
                }
                if (c != (object ? '}' : ']')) {
                    return fault(p - 1);
                }
                if (open == 1) {
                    return p;
                }
                if (at.depth == open) {
                    fields.container(at, object ? Kind.OBJECT : Kind.ARRAY, at.openedAt, p);
                    at = at.parent;
                }
                object = isObject(--open);
            }
        }
    }

    private void remember(int level, boolean object) {
        if (level >>> 6 == enclosing.length) {
            enclosing = Arrays.copyOf(enclosing, 2 * enclosing.length);
        }
        long bit = 1L << level;
        if (object) {
            enclosing[level >>> 6] |= bit;
        } else {
            enclosing[level >>> 6] &= ~bit;
        }
    }

    private boolean isObject(int level) {
        return (enclosing[level >>> 6] >>> level & 1) != 0;
    }

    /** The end of a number or word in plain sight, or SLOW. */
    private static int scalarEnd(byte[] b, byte c, int p) {
        return switch (c) {
            case 't' -> Swar.intAt(b, p) == TRUE ? p + 4 : SLOW;
            case 'f' -> Swar.intAt(b, p + 1) == ALSE ? p + 5 : SLOW;
            case 'n' -> Swar.intAt(b, p) == NULL ? p + 4 : SLOW;
            default -> numberEnd(b, p);
        };
    }

    /** The end of a number without exponent; what may follow it is the caller's business. SLOW where it takes a closer look. */
    private static int numberEnd(byte[] b, int start) {
        int p = b[start] == '-' ? start + 1 : start;
        int end = Swar.digitsEnd(b, p);
        if (end == p || (b[p] == '0' && end > p + 1)) {
            return SLOW;
        }
        if (b[end] == '.') {
            p = end + 1;
            end = Swar.digitsEnd(b, p);
            if (end == p) {
                return SLOW;
            }
        }
        byte c = b[end];
        return c == 0 || (c | 0x20) == 'e' ? SLOW : end;
    }

    private static Kind kindOfScalar(byte first, boolean bare) {
        return switch (first) {
            case 't', 'f' -> Kind.BOOLEAN;
            case 'n' -> Kind.NULL;
            case 'N', 'I' -> Kind.BARE_WORD;
            case '-' -> bare ? Kind.BARE_WORD : Kind.NUMBER;
            default -> Kind.NUMBER;
        };
    }

    /** The first byte at or after p that is no white space. At the end of the source: BROKEN. */
    private int slowSpace(int start) throws IOException {
        int p = start;
        byte[] b = window.buf;
        while (true) {
            switch (b[p]) {
                case ' ' -> p = Swar.spacesEnd(b, p);
                case '\n' -> {
                    multiLine = true;
                    p++;
                }
                case '\r', '\t' -> p++;
                default -> {
                    if (p < window.limit) {
                        return p;
                    }
                    p = window.refill(p);
                    if (p == Window.NONE) {
                        return sourceEnded();
                    }
                    b = window.buf;
                }
            }
        }
    }

    /**
     * The closing quote of a string that starts at {@code start} and holds something special at p. Afterwards {@link #escaped} tells whether it holds
     * a backslash, and {@link #tokenStart} where it starts now; that is kept track of only if {@code hold}, and NONE if it was too long to hold.
     */
    private int slowString(int start, int special, boolean hold) throws IOException {
        int p = special;
        byte[] b = window.buf;
        window.hold = hold ? start : Window.NONE;
        escaped = false;
        while (true) {
            byte c = b[p];
            if (c == '"') {
                return token(p);
            }
            int next = c == '\\' ? escapeEnd(b, p) : ~p;
            if (next >= 0) {
                escaped = true;
            } else if (~next < window.limit) {
                return fault(~next);
            } else {
                next = window.refill(p);
                if (next == Window.NONE) {
                    return sourceEnded();
                }
                b = window.buf;
            }
            p = Swar.plainEnd(b, next);
        }
    }

    /** The end of the escape at p, or the complement of the byte that spoils it. */
    private static int escapeEnd(byte[] b, int p) {
        return switch (b[p + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> p + 2;
            case 'u' -> unicodeEnd(b, p + 2);
            default -> ~(p + 1);
        };
    }

    private static int unicodeEnd(byte[] b, int start) {
        for (int p = start; p < start + 4; p++) {
            if (!isHex(b[p])) {
                return ~p;
            }
        }
        return start + 4;
    }

    private static boolean isHex(byte c) {
        boolean digit = c >= '0' && c <= '9';
        boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
        return digit || letter;
    }

    /** The field whose key, after unescaping, ends at the quote p and starts at {@link #tokenStart}. */
    private PathNode slowMatch(PathNode parent, int p) {
        if (tokenStart == Window.NONE) {
            return PathNode.NONE; // far longer than any name
        }
        return escaped
                ? parent.matchEscaped(cursor, window.buf, tokenStart, p)
                : parent.match(window.buf, tokenStart, p);
    }

    /** The end of a number or word; sets {@link #tokenStart} as {@link #slowString} does. */
    private int slowScalar(int p, boolean hold) throws IOException {
        window.hold = hold ? p : Window.NONE;
        bareWord = false;
        return switch (window.buf[p]) {
            case 't' -> slowWord(p, "true");
            case 'f' -> slowWord(p, "false");
            case 'n' -> slowWord(p, "null");
            case 'N' -> slowWord(p, "NaN");
            case 'I' -> slowWord(p, "Infinity");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> slowNumber(p);
            default -> fault(p);
        };
    }

    private int slowWord(int start, String word) throws IOException {
        int p = start;
        for (int i = 0; i < word.length(); i++) {
            if (p >= window.limit) {
                p = window.refill(p);
                if (p == Window.NONE) {
                    return sourceEnded();
                }
            }
            if (window.buf[p] != word.charAt(i)) {
                return fault(p);
            }
            p++;
        }
        return token(p);
    }

    private int slowNumber(int start) throws IOException {
        NumberState state = NumberState.START;
        int p = start;
        while (true) {
            if (p >= window.limit) {
                int more = window.refill(p);
                if (more == Window.NONE) {
                    return state.complete() ? token(p) : sourceEnded();
                }
                p = more;
            }
            byte c = window.buf[p];
            if (c == 'I' && state == NumberState.MINUS) {
                bareWord = true;
                return slowWord(p, "Infinity");
            }
            NumberState next = state.after(c);
            if (next == NumberState.END) {
                return state.complete() ? token(p) : fault(p);
            }
            state = next;
            p++;
        }
    }

    private int token(int end) {
        tokenStart = window.hold;
        window.hold = Window.NONE;
        return end;
    }

    private int fault(int p) {
        window.hold = Window.NONE;
        faultAt = p;
        return BROKEN;
    }

    private int sourceEnded() {
        truncated = true;
        return fault(window.limit);
    }
}
