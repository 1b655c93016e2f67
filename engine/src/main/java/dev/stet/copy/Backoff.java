package dev.stet.copy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;

/** Waits before a step is tried again. */
public interface Backoff {
    /** For tests: no waiting. */
    Backoff NONE = attempt -> {};

    /** @param attempt 0 for the first wait */
    void pause(int attempt) throws IOException;

    /** Exponential with full jitter, from 10 ms, at most two seconds. */
    static Backoff exponential() {
        return attempt -> {
            long most = Math.min(2_000, 10L << Math.min(attempt, 10));
            try {
                Thread.sleep(ThreadLocalRandom.current().nextLong(most + 1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting to try again");
            }
        };
    }
}
