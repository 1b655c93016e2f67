package dev.stet.copy;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;

/**
 * Makes commit ids: 12 hex digits of the time in milliseconds, then 20 of randomness, or the mark of a run and 12 of randomness. They sort by time.
 * Thread-safe.
 */
public final class CommitIds {
    private static final int TIME_DIGITS = 12;
    private static final int RANDOM_BYTES = 10;
    private static final int MARK_DIGITS = 8;

    private final Clock clock;
    private final SecureRandom random;
    private final String mark;

    public CommitIds(Clock clock, SecureRandom random) {
        this(clock, random, "");
    }

    /** Ids of a run's commits. @param mark see {@link #mark}; empty: none */
    public CommitIds(Clock clock, SecureRandom random, String mark) {
        this.clock = clock;
        this.random = random;
        this.mark = mark;
    }

    public String next() {
        byte[] bytes = new byte[RANDOM_BYTES - mark.length() / 2];
        random.nextBytes(bytes);
        return "%012x%s%s".formatted(clock.millis(), mark, HexFormat.of().formatHex(bytes));
    }

    /** The mark of a run: two runs of a pipeline that commit within the same milliseconds share it once in four billion times. */
    public static String mark(String runId) {
        return HexFormat.of()
                .toHexDigits(Hashing.xxh3_64().hashBytesToLong(runId.getBytes(StandardCharsets.UTF_8)), MARK_DIGITS);
    }

    /** Whether a commit was made by the run of that mark. */
    public static boolean isMarked(String commitId, String mark) {
        return commitId.startsWith(mark, TIME_DIGITS);
    }
}
