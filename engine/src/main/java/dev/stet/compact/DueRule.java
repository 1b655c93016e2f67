package dev.stet.compact;

import java.util.Optional;

/**
 * When buffers are landed without being asked (design §6): a pure function of what is committed and of the time.
 *
 * @param bufferSeconds due when the oldest commit is at least so old
 * @param bufferBytes due when more would land
 * @param stagingMax bytes; due when staging holds as many
 */
public record DueRule(long bufferSeconds, Optional<Long> bufferBytes, long stagingMax) {

    /** Whether it is time to land. @param now epoch milliseconds */
    public boolean due(Buffered buffered, long now) {
        return millisUntilDue(buffered, now) == 0
                || (bufferBytes.isPresent() && buffered.landingBytes() > bufferBytes.get())
                || (buffered.commits() > 0 && full(buffered, 0));
    }

    /** When the oldest commit will be old enough, from {@code now}; far away while nothing waits. */
    public long millisUntilDue(Buffered buffered, long now) {
        return buffered.oldest()
                .map(o -> Math.max(0, o + bufferSeconds * 1_000 - now))
                .orElse(Long.MAX_VALUE);
    }

    /** Whether staging is full when workers hold {@code moreBytes} that are not committed yet. */
    public boolean full(Buffered buffered, long moreBytes) {
        return buffered.stagedBytes() + moreBytes >= stagingMax;
    }
}
