package dev.stet.run;

import dev.stet.compact.Buffered;
import dev.stet.compact.DueRule;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.ledger.Ledger;
import java.io.IOException;
import java.time.Clock;

/** What is committed and not landed, kept up to date while a run commits, and whether it is due. Thread-safe. */
final class Buffers {
    private final DueRule rule;
    private final Clock clock;
    private Buffered buffered = Buffered.NOTHING;

    Buffers(LandingPolicy policy, long stagingMax, Clock clock) {
        this.rule = new DueRule(policy.bufferSeconds(), policy.bufferBytes(), stagingMax);
        this.clock = clock;
    }

    /** Counts anew. */
    synchronized void refresh(Ledger ledger) throws IOException {
        buffered = Buffered.in(ledger);
    }

    synchronized void add(long bundleLength, long willLand, long committedAt) {
        buffered = buffered.plus(bundleLength, willLand, committedAt);
    }

    /** Whether staging is full when workers hold {@code moreBytes} that are not committed yet. */
    synchronized boolean full(long moreBytes) {
        return rule.full(buffered, moreBytes);
    }

    /** When the oldest commit will be old enough, from now; far away while nothing waits. */
    synchronized long millisUntilDue() {
        return rule.millisUntilDue(buffered, clock.millis());
    }

    /** Age, bytes, or a full staging. */
    synchronized boolean due() {
        return rule.due(buffered, clock.millis());
    }
}
