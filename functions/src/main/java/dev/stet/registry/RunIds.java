package dev.stet.registry;

import java.security.SecureRandom;
import java.time.Clock;

/** Ids of runs: 26 characters, in order of time by their bytes, unguessable. Fit to name an execution of Step Functions. */
final class RunIds {
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int TIME_DIGITS = 10;
    private static final int RANDOM_DIGITS = 16;

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    RunIds(Clock clock) {
        this.clock = clock;
    }

    String next() {
        StringBuilder id = new StringBuilder();
        long time = clock.millis();
        for (int i = TIME_DIGITS - 1; i >= 0; i--) {
            id.append(DIGITS.charAt((int) (time >>> (5 * i)) & 31));
        }
        for (int i = 0; i < RANDOM_DIGITS; i++) {
            id.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
        }
        return id.toString();
    }
}
