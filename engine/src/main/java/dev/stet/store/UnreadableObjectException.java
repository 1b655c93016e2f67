package dev.stet.store;

import java.io.IOException;

/** One source object cannot be read; the run goes on, names it, and ends with exit code 3 (rule book D40, D42). */
public final class UnreadableObjectException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Wire names are the lower-case names. */
    public enum Why {
        DELETED,
        ARCHIVED,
        ACCESS_DENIED,
        /** Not an object at all, see {@link Unlistable}, or an input/output error of this object alone. */
        UNREADABLE
    }

    private final Why why;

    public UnreadableObjectException(Why why, String message) {
        super(message);
        this.why = why;
    }

    public UnreadableObjectException(Why why, String message, Throwable cause) {
        super(message, cause);
        this.why = why;
    }

    public Why why() {
        return why;
    }
}
