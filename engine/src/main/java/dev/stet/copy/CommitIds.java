package dev.stet.copy;

import java.security.SecureRandom;
import java.time.Clock;

/** Makes commit ids: 12 hex digits of the time in milliseconds, 20 of randomness. They sort by time. Thread-safe. */
public final class CommitIds {
    private final Clock clock;
    private final SecureRandom random;

    public CommitIds(Clock clock, SecureRandom random) {
        this.clock = clock;
        this.random = random;
    }

    public String next() {
        byte[] bytes = new byte[10];
        random.nextBytes(bytes);
        return "%012x%s".formatted(clock.millis(), java.util.HexFormat.of().formatHex(bytes));
    }
}
