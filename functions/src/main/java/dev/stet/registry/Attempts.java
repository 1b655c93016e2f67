package dev.stet.registry;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Repeats a read-and-write whose write met another one. */
final class Attempts {
    private static final int MOST = 60;
    private static final long LONGEST_PAUSE_MILLIS = 50;

    private Attempts() {}

    /** Reads, decides and writes. */
    interface Attempt<T> {
        /** Empty when what was read had changed before it was written. */
        Optional<T> once() throws IOException, RegistryException;
    }

    static <T> T repeat(Attempt<T> attempt) throws IOException, RegistryException {
        for (int i = 0; i < MOST; i++) {
            Optional<T> done = attempt.once();
            if (done.isPresent()) {
                return done.get();
            }
            pause(i);
        }
        throw new RegistryException(
                ErrorCode.TooManyRequests, "too many changes at once to the same thing; try again in a moment");
    }

    private static void pause(int attempt) throws InterruptedIOException {
        try {
            Thread.sleep(
                    ThreadLocalRandom.current().nextLong(Math.min(LONGEST_PAUSE_MILLIS, 2L << Math.min(attempt, 10))));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }
}
