package dev.stet.record;

import dev.stet.record.FieldValues.Kind;
import java.util.Arrays;

/**
 * One step of the routed paths, as a tree, and what the current record has there. A node belongs to the record whose number it bears, so nothing
 * needs clearing between records. Places are source offsets, for the window moves.
 */
final class PathNode {
    private static final byte[] EMPTY = {};

    /** No node: no key is routed here. */
    static final PathNode NONE = new PathNode();

    final PathNode parent;
    /** How many containers are open when a key below this node is read. */
    final int depth;
    /** An array here is a list of records to unwrap, rather than a value. */
    boolean unwrap;

    private final byte[] name;
    private final long head;
    private final long headMask;
    private PathNode[] children = {};
    /** Bit n: some child's name has n bytes (mod 64). Most keys are turned away by this alone. */
    private long lengths;

    long seenIn;
    Kind kind = Kind.ABSENT;
    long from;
    long to;
    boolean escaped;
    boolean conflicting;
    /** Where the container now open at this node starts. */
    long openedAt;
    /** The shortest occurrence so far, which later ones are compared with: long white space is then paid for once. */
    long referenceFrom;

    long referenceTo;

    /** The value's bytes once the record around it has left the window. */
    byte[] copy = EMPTY;
    /** Whether the copy stands for a value too long to copy. */
    boolean cut;

    private PathNode() {
        parent = this;
        depth = Window.NONE;
        name = EMPTY;
        head = 0;
        headMask = 0;
    }

    private PathNode(PathNode parent, int depth, byte[] name) {
        this.parent = parent;
        this.depth = depth;
        this.name = name;
        int n = Math.min(8, name.length);
        this.headMask = n == 8 ? -1L : (1L << (8 * n)) - 1;
        this.head = Swar.longAt(Arrays.copyOf(name, Math.max(8, name.length)), 0) & headMask;
    }

    static PathNode root() {
        return new PathNode(NONE, 1, EMPTY);
    }

    /** The child of that name, made if it is not there. */
    PathNode child(byte[] childName) {
        for (PathNode child : children) {
            if (Arrays.equals(child.name, childName)) {
                return child;
            }
        }
        PathNode child = new PathNode(this, depth + 1, childName);
        children = Arrays.copyOf(children, children.length + 1);
        children[children.length - 1] = child;
        lengths |= 1L << childName.length;
        return child;
    }

    /** The child whose name is {@code key[start, end)}, which has no backslash; or NONE. */
    PathNode match(byte[] key, int start, int end) {
        int length = end - start;
        if ((lengths >>> length & 1) == 0) {
            return NONE;
        }
        long first = Swar.longAt(key, start);
        for (PathNode child : children) {
            if (child.name.length == length && (first & child.headMask) == child.head && child.sameRest(key, start)) {
                return child;
            }
        }
        return NONE;
    }

    private boolean sameRest(byte[] key, int start) {
        return name.length <= 8 || Arrays.equals(key, start + 8, start + name.length, name, 8, name.length);
    }

    /** The child spelt by {@code key[start, end)} after unescaping; or NONE. */
    PathNode matchEscaped(TokenCursor cursor, byte[] key, int start, int end) {
        for (PathNode child : children) {
            if (cursor.over(key, start, end, true).spells(child.name)) {
                return child;
            }
        }
        return NONE;
    }
}
