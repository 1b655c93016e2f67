package dev.stet.stage;

import java.io.IOException;

/** What a slice's bytes are, and so the ending of the object they land in. The order is that of the plan: spans held apart before the lines that name them. */
public enum SliceKind {
    /** One span set aside, its bytes alone (design §7, {@code held_in}). */
    RAW(0, ".raw"),
    /** One-line records, each with a line feed after it. */
    LINES(1, ".jsonl"),
    /** Records with line feeds inside, each with a line feed after it (rule book D9). */
    TEXTS(2, ".json");

    private final int code;
    private final String suffix;

    SliceKind(int code, String suffix) {
        this.code = code;
        this.suffix = suffix;
    }

    public String suffix() {
        return suffix;
    }

    /** The kind's number in an index. */
    int code() {
        return code;
    }

    /** The kind of that number. */
    static SliceKind ofCode(int code) throws IOException {
        for (SliceKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IOException("the index of a staged bundle names an unknown kind of slice: " + code);
    }
}
