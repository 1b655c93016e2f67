package dev.stet.ledger;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. */
public final class ManualClock extends Clock {
    private final AtomicLong now = new AtomicLong(1_700_000_000_000L);

    public void advance(long millis) {
        now.addAndGet(millis);
    }

    @Override
    public long millis() {
        return now.get();
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
