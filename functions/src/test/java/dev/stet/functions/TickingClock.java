package dev.stet.functions;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicLong;

/** The clock of a process for which time goes by only as it looks at it: how far it comes in a time does not depend on the machine. */
final class TickingClock extends Clock {
    private final Clock start;
    private final Duration tick;
    private final AtomicLong looks = new AtomicLong();

    TickingClock(Clock start, Duration tick) {
        this.start = start;
        this.tick = tick;
    }

    @Override
    public Instant instant() {
        return start.instant().plus(tick.multipliedBy(looks.incrementAndGet()));
    }

    @Override
    public ZoneId getZone() {
        return start.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }
}
