package dev.stet.ledger;

import java.io.IOException;

/** The ledger cannot go on. The message is for the user. */
public final class LedgerException extends IOException {
    private static final long serialVersionUID = 1L;

    public LedgerException(String message) {
        super(message);
    }

    public LedgerException(String message, Throwable cause) {
        super(message, cause);
    }
}
