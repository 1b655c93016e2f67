package dev.stet.copy;

import java.io.IOException;

/** A sweeper took the commit for dead before its first byte was staged. Its objects are to be started again under a new id. */
final class CommitLostException extends IOException {
    private static final long serialVersionUID = 1L;

    CommitLostException(String id) {
        super("commit " + id + " was abandoned before it began");
    }
}
