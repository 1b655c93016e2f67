package dev.stet.record;

import java.io.IOException;

/**
 * The object as a whole cannot be read as records: nothing of it may land, and it is set aside by reference (rule book D3, D16, D19).
 * Thrown by decoders and framers in the middle of a stream, so whoever collects an object's records must be able to forget them.
 */
public final class WholeObjectException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public WholeObjectException(Reason reason, String detail) {
        super(detail);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
