package dev.stet.record;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The routed values of the record last scanned: slices of the window, or copies once the record has turned out too long to stay in it. Finds repeats
 * that differ (rule book D21). What can no longer be compared, because it has left the window, counts as different.
 */
final class CapturedFields implements FieldValues {
    /** Stands for a string too long to keep: longer than any folder name may be, and no time. */
    private static final byte[] LONG_STRING = filler('x');
    /** Stands for a number too long to keep: longer than any folder name may be, and beyond every unit of time. */
    private static final byte[] LONG_NUMBER = filler('9');

    private static final byte[] NOTHING = {};

    private final Window window;
    private final int longestCopy;
    private final PathNode root = PathNode.root();
    private final List<PathNode> nodes = new ArrayList<>();
    private final PathNode[] byPath;
    private final TokenCursor one = new TokenCursor();
    private final TokenCursor other = new TokenCursor();
    private long record;
    private boolean conflicts;
    private boolean copied;
    private long compared;

    CapturedFields(FieldPaths paths, Window window, int longestCopy) {
        this.window = window;
        this.longestCopy = longestCopy;
        this.byPath = paths.paths().stream().map(this::node).toArray(PathNode[]::new);
    }

    private PathNode node(String path) {
        PathNode node = root;
        for (String step : path.split("\\.", -1)) {
            node = node.child(step.getBytes(StandardCharsets.UTF_8));
            if (!nodes.contains(node)) {
                nodes.add(node);
            }
        }
        return node;
    }

    PathNode root() {
        return root;
    }

    /** Makes the list at the first path something to unwrap. */
    void unwrapFirst() {
        byPath[0].unwrap = true;
    }

    /** Forgets the record before. */
    void next() {
        record++;
        conflicts = false;
        copied = false;
    }

    /** Takes a scalar that ends before window place {@code end}; of a string, what stands between the quotes. A start of NONE has left the window. */
    void scalar(PathNode node, Kind kind, int start, int end, boolean escaped) {
        boolean first = occurrence(node, kind, start == Window.NONE ? Window.NONE : window.offset(start), end);
        if (first) {
            node.escaped = escaped;
            if (copied) {
                keep(node, start, end);
            }
        }
    }

    /** Takes a container that starts at source offset {@code from} and ends before window place {@code end}. */
    void container(PathNode node, Kind kind, long from, int end) {
        boolean first = occurrence(node, kind, from, end);
        if (first) {
            node.copy = NOTHING;
        }
    }

    /** Whether it is the first one in this record; a later one is compared. */
    private boolean occurrence(PathNode node, Kind kind, long from, int end) {
        long to = window.offset(end);
        if (node.seenIn == record) {
            again(node, kind, from, to);
            return false;
        }
        node.seenIn = record;
        node.kind = kind;
        node.from = from;
        node.to = to;
        node.referenceFrom = from;
        node.referenceTo = to;
        node.conflicting = false;
        return true;
    }

    private void again(PathNode node, Kind kind, long from, long to) {
        if (node.conflicting) {
            return;
        }
        if (node.kind != kind || !same(node, from, to)) {
            node.conflicting = true;
            conflicts = true;
        } else if (to - from < node.referenceTo - node.referenceFrom) {
            node.referenceFrom = from;
            node.referenceTo = to;
        }
    }

    private boolean same(PathNode node, long from, long to) {
        boolean string = node.kind == Kind.STRING;
        if (!copied) {
            one.over(window.buf, place(node.referenceFrom), place(node.referenceTo), string);
            compared += node.referenceTo - node.referenceFrom;
        } else if (isScalar(node.kind) && !node.cut && from >= window.offset(window.mark)) {
            one.over(node.copy, 0, node.copy.length, string);
            compared += node.copy.length;
        } else {
            return false;
        }
        compared += to - from;
        return TokenCursor.same(one, other.over(window.buf, place(from), place(to), string));
    }

    /** Copies what has been captured so far, before it leaves the window; later values are copied as they come. */
    void leaveWindow() {
        if (!copied) {
            copied = true;
            for (PathNode node : nodes) {
                if (node.seenIn == record && isScalar(node.kind)) {
                    keep(node, place(node.from), place(node.to));
                }
            }
        }
    }

    private void keep(PathNode node, int start, int end) {
        node.cut = start == Window.NONE || end - start > longestCopy;
        if (node.cut) {
            node.copy = node.kind == Kind.STRING ? LONG_STRING : LONG_NUMBER;
            node.escaped = false;
        } else {
            node.copy = Arrays.copyOfRange(window.buf, start, end);
        }
    }

    /** Gives back the memory of copies. */
    void release() {
        next();
        nodes.forEach(node -> node.copy = NOTHING);
    }

    /** Bytes looked at in comparing repeats, ever. */
    long compared() {
        return compared;
    }

    @Override
    public Kind kind(int path) {
        PathNode node = byPath[path];
        return node.seenIn == record ? node.kind : Kind.ABSENT;
    }

    @Override
    public byte[] bytes(int path) {
        return copied ? byPath[path].copy : window.buf;
    }

    @Override
    public int from(int path) {
        return copied ? 0 : place(byPath[path].from);
    }

    @Override
    public int to(int path) {
        return copied ? byPath[path].copy.length : place(byPath[path].to);
    }

    @Override
    public boolean escaped(int path) {
        return byPath[path].escaped;
    }

    @Override
    public boolean conflicting(int path) {
        if (conflicts) {
            for (PathNode node = byPath[path]; node != PathNode.NONE; node = node.parent) {
                if (node.seenIn == record && node.conflicting) {
                    return true;
                }
            }
        }
        return false;
    }

    private int place(long offset) {
        return (int) (offset - window.base);
    }

    private static boolean isScalar(Kind kind) {
        return kind != Kind.OBJECT && kind != Kind.ARRAY;
    }

    private static byte[] filler(char c) {
        byte[] bytes = new byte[4096];
        Arrays.fill(bytes, (byte) c);
        return bytes;
    }
}
