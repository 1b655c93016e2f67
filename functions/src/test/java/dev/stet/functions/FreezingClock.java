package dev.stet.functions;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** The clock of a process that is frozen: whoever asks it the time, once it is to freeze, waits until it thaws. */
final class FreezingClock extends Clock {
    private final Clock clock;
    private final BooleanSupplier freeze;
    private final CountDownLatch frozen = new CountDownLatch(1);
    private final CountDownLatch thawed = new CountDownLatch(1);

    FreezingClock(Clock clock, BooleanSupplier freeze) {
        this.clock = clock;
        this.freeze = freeze;
    }

    void awaitFrozen() throws InterruptedException {
        frozen.await();
    }

    void thaw() {
        thawed.countDown();
    }

    @Override
    public Instant instant() {
        if (thawed.getCount() > 0 && (frozen.getCount() == 0 || freeze.getAsBoolean())) {
            frozen.countDown();
            try {
                thawed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return clock.instant();
    }

    @Override
    public ZoneId getZone() {
        return clock.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }
}
