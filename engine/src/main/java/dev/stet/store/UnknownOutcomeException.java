package dev.stet.store;

import java.io.IOException;

/** The answer was lost: the request may have been applied, now or later. Never a reason to clean up (invariant 6). */
public final class UnknownOutcomeException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnknownOutcomeException(String message, Throwable cause) {
        super(message, cause);
    }
}
