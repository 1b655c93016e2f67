package dev.stet.copy;

import java.time.Clock;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * When to end the reading of an object in parts: when so much came, or so long went by, after the run was to stop that a part should long have ended. Not thread-safe.
 */
final class Grace implements BooleanSupplier {
    /** Longer than any record that is not rare. */
    private static final long BYTES = 16L << 20;
    /** Little that is stored can be much content. A good part less than a worker keeps for its end. */
    private static final long MILLIS = 10_000;

    private final BooleanSupplier stop;
    private final Clock clock;
    private OptionalLong stoppedAt = OptionalLong.empty();
    private long afterStop;

    Grace(BooleanSupplier stop, Clock clock) {
        this.stop = stop;
        this.clock = clock;
    }

    /** Stored bytes were read. */
    void read(long bytes) {
        afterStop += stoppedAt.isPresent() ? bytes : 0;
    }

    @Override
    public boolean getAsBoolean() {
        if (!stop.getAsBoolean()) {
            return false;
        }
        if (stoppedAt.isEmpty()) {
            stoppedAt = OptionalLong.of(clock.millis());
        }
        return afterStop > BYTES || clock.millis() - stoppedAt.getAsLong() > MILLIS;
    }
}
