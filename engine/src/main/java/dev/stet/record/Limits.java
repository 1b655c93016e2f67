package dev.stet.record;

/**
 * Sizes that bound a framer's memory and its patience. Tests use tiny ones, so that every edge lies close.
 *
 * @param window bytes read ahead at first
 * @param kept largest window held on to between objects; a larger one is given back
 * @param longSpan a span of more bytes than this comes in pieces, and is not looked back into (rule book D7); larger than {@code value}
 * @param value longest routed value (or key) held while the record around it comes in pieces
 * @param restarts how often framing starts again inside one broken record before it goes on behind the error (rule book D7)
 */
record Limits(int window, int kept, int longSpan, int value, int restarts) {
    static final Limits DEFAULT = new Limits(128 << 10, 1 << 20, 16 << 20, 1 << 20, 64);

    Limits {
        if (window < 1 || kept < window || value < 1 || longSpan < value + 16 || restarts < 0) {
            throw new IllegalArgumentException("limits do not fit together");
        }
    }

    /** The window never grows beyond this: a quarter more than it must hold, so that moving what it holds to the front is rare. */
    int largestWindow() {
        return longSpan + Math.max(longSpan / 4, window);
    }
}
