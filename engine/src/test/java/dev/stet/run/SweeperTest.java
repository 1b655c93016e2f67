package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.compact.Sweeper;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.ManualClock;
import dev.stet.store.InMemoryStore;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sweeping with limits. What it may delete and when, the stories and crashes tell. */
class SweeperTest {
    private static final int COMMITS = 20;

    private final ManualClock clock = new ManualClock();
    private final InMemoryLedger ledger = new InMemoryLedger(clock);
    private final InMemoryStore staging = new InMemoryStore();

    private void begin(String id, long leaseUntil) throws IOException {
        ledger.begin(Commit.uploading(id, "bundles/" + id, leaseUntil, clock.millis()));
        staging.put("bundles/" + id, new byte[1]);
    }

    private long count(CommitState state) throws IOException {
        AtomicInteger n = new AtomicInteger();
        ledger.forEach(state, c -> n.incrementAndGet());
        return n.get();
    }

    @Test
    void a_lease_that_is_not_over_protects_its_commit_to_the_last_millisecond() throws Exception {
        begin("over", clock.millis() - 1);
        begin("living", clock.millis());
        Sweeper sweeper = new Sweeper(ledger, staging, clock);
        sweeper.abandonExpired();
        sweeper.sweep();
        assertThat(ledger.find("over").orElseThrow().state()).isEqualTo(CommitState.ABANDONED);
        assertThat(ledger.find("living").orElseThrow().state()).isEqualTo(CommitState.UPLOADING);
        assertThat(staging.keys()).containsExactly("bundles/living");
    }

    @Test
    void a_sweep_that_is_told_to_stop_leaves_the_rest_to_the_next() throws Exception {
        for (int i = 0; i < COMMITS; i++) {
            begin("c" + i, clock.millis() - 1);
        }
        new Sweeper(ledger, staging, clock).abandonExpired();
        AtomicInteger asked = new AtomicInteger();
        new Sweeper(ledger, staging, clock, 1, () -> asked.incrementAndGet() > 6).sweep();
        assertThat(staging.keys()).hasSizeBetween(COMMITS - 6, COMMITS - 1);
        new Sweeper(ledger, staging, clock, 1, () -> true).sweep();
        assertThat(staging.keys()).isNotEmpty();
        new Sweeper(ledger, staging, clock).sweep();
        assertThat(staging.keys()).isEmpty();
    }

    @Test
    void several_threads_sweep_everything() throws Exception {
        for (int i = 0; i < COMMITS; i++) {
            begin("c" + i, clock.millis() - 1);
        }
        Sweeper sweeper = new Sweeper(ledger, staging, clock, 4, () -> false);
        sweeper.abandonExpired();
        sweeper.sweep();
        assertThat(count(CommitState.UPLOADING)).isZero();
        assertThat(staging.keys()).isEmpty();
    }
}
