package dev.stet.run;

import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Ledger;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;

/** What is committed and not landed, by the ledger: how much, since when, and whether it is due. Thread-safe. */
final class Buffers {
    private final LandingPolicy policy;
    private final long stagingMax;
    private final Clock clock;
    private long stagedBytes;
    private long landingBytes;
    private Optional<Long> oldest = Optional.empty();

    Buffers(LandingPolicy policy, long stagingMax, Clock clock) {
        this.policy = policy;
        this.stagingMax = stagingMax;
        this.clock = clock;
    }

    /** Counts anew. */
    synchronized void refresh(Ledger ledger) throws IOException {
        stagedBytes = 0;
        landingBytes = 0;
        oldest = Optional.empty();
        ledger.forEach(CommitState.COMMITTED, this::add);
    }

    private void add(Commit commit) {
        commit.details().ifPresent(d -> add(d.bundleLength(), d.landingBytes(), commit.changedAt()));
    }

    synchronized void add(long bundleLength, long willLand, long committedAt) {
        stagedBytes += bundleLength;
        landingBytes += willLand;
        oldest = Optional.of(Math.min(oldest.orElse(committedAt), committedAt));
    }

    /** Whether staging is full when workers hold {@code moreBytes} that are not committed yet. */
    synchronized boolean full(long moreBytes) {
        return stagedBytes + moreBytes >= stagingMax;
    }

    /** When the oldest commit will be old enough, from now; far away while nothing waits. */
    synchronized long millisUntilDue() {
        return oldest.map(o -> Math.max(0, o + policy.bufferSeconds() * 1_000 - clock.millis()))
                .orElse(Long.MAX_VALUE);
    }

    /** Age, bytes, or a full staging. */
    synchronized boolean due() {
        if (oldest.isEmpty()) {
            return false;
        }
        boolean old = clock.millis() - oldest.get() >= policy.bufferSeconds() * 1_000;
        boolean many = policy.bufferBytes().isPresent()
                && landingBytes > policy.bufferBytes().get();
        return old || many || stagedBytes >= stagingMax;
    }
}
