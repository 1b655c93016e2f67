package dev.stet.record;

/**
 * The values a framer found for its {@link FieldPaths} in one record, as raw byte slices: nothing is decoded or copied on the way. Reused from
 * record to record; borrowed by whoever is handed it. Where a path occurs more than once the first occurrence is kept and {@link #conflicting}
 * tells whether a later one (of it, or of a parent on its path) had another value (rule book D21).
 */
public interface FieldValues {

    /** What stands at a path. BARE_WORD is NaN, Infinity or -Infinity (rule book D30). */
    enum Kind {
        ABSENT,
        NULL,
        STRING,
        NUMBER,
        BOOLEAN,
        BARE_WORD,
        OBJECT,
        ARRAY
    }

    Kind kind(int path);

    /** The array that holds the value's bytes; valid as long as the record's buffer is. */
    byte[] bytes(int path);

    /** First byte of the value; of a string, the first after its quote. Meaningless for ABSENT, OBJECT, ARRAY. */
    int from(int path);

    /** One past the last byte; of a string, its closing quote. */
    int to(int path);

    /** Whether the string holds a backslash, so that it must be unescaped before use. */
    boolean escaped(int path);

    /** Whether the path, or a parent on it, occurred again with another value. */
    boolean conflicting(int path);
}
