package dev.stet.task;

import java.time.Clock;
import java.util.function.BooleanSupplier;

/**
 * A time to stop, as {@link dev.stet.copy.WorkerSettings} asks for it: from then on workers commit what is whole and end. To be set well before the worker is
 * killed: ending takes as long as staging its memory, one completed upload and one transaction.
 *
 * @param stopAt epoch milliseconds
 */
public record Deadline(Clock clock, long stopAt) implements BooleanSupplier {
    /** The deadline of a worker that is killed in {@code remainingMillis}; {@code marginMillis} are kept for ending. */
    public static Deadline in(Clock clock, long remainingMillis, long marginMillis) {
        return new Deadline(clock, clock.millis() + Math.max(0, remainingMillis - marginMillis));
    }

    @Override
    public boolean getAsBoolean() {
        return clock.millis() >= stopAt;
    }
}
