package dev.stet.functions;

/** What is asked for cannot be done, however often it is tried. State machines know it by this name and do not retry it. */
public final class RefusedRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedRunException(String message) {
        super(message);
    }

    RefusedRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
