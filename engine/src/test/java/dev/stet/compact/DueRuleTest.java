package dev.stet.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.audit.Digest;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.ManualClock;
import dev.stet.ledger.PageUpdate;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a scheduled compaction has something to do. */
class DueRuleTest {
    private static final DueRule DAY = new DueRule(86_400, Optional.empty(), Long.MAX_VALUE);

    private final ManualClock clock = new ManualClock();
    private final Ledger ledger = new InMemoryLedger(clock);

    private void commit(String id, long staged, long landing) throws IOException {
        ledger.begin(Commit.uploading(id, "bundles/" + id, 0, clock.millis()));
        List<PageUpdate> none = List.of();
        assertThat(ledger.commit(
                        id, new CommitDetails(staged, 0, "m", 1, Digest.EMPTY, Map.of(), landing, List.of()), none))
                .isEqualTo(Ledger.Outcome.APPLIED);
    }

    private boolean due(DueRule rule) throws IOException {
        return rule.due(Buffered.in(ledger), clock.millis());
    }

    @Test
    void by_age_nothing_at_86_399_seconds_and_due_at_86_400() throws Exception {
        commit("a", 10, 20);
        clock.advance(86_399_000);
        assertThat(due(DAY)).isFalse();
        clock.advance(999);
        assertThat(due(DAY)).isFalse();
        assertThat(DAY.millisUntilDue(Buffered.in(ledger), clock.millis())).isEqualTo(1);
        clock.advance(1);
        assertThat(due(DAY)).isTrue();
    }

    @Test
    void the_oldest_commit_counts_and_those_retired_do_not() throws Exception {
        commit("a", 10, 20);
        clock.advance(86_400_000);
        commit("b", 10, 20);
        assertThat(due(DAY)).isTrue();
        ledger.retire("a", 1);
        assertThat(due(DAY)).isFalse();
        assertThat(Buffered.in(ledger))
                .isEqualTo(new Buffered(1, 10, 20, Optional.of(clock.millis()), Optional.of(clock.millis())));
    }

    @Test
    void by_bytes_that_would_land_past_the_limit_and_not_at_it() throws Exception {
        DueRule rule = new DueRule(86_400, Optional.of(40L), Long.MAX_VALUE);
        commit("a", 1, 20);
        commit("b", 1, 20);
        assertThat(due(rule)).isFalse();
        commit("c", 1, 1);
        assertThat(due(rule)).isTrue();
    }

    @Test
    void by_staging_when_it_is_full() throws Exception {
        DueRule rule = new DueRule(86_400, Optional.empty(), 30);
        commit("a", 29, 20);
        assertThat(due(rule)).isFalse();
        assertThat(rule.full(Buffered.in(ledger), 1)).isTrue();
        commit("b", 1, 20);
        assertThat(due(rule)).isTrue();
    }

    @Test
    void nothing_is_never_due() throws Exception {
        assertThat(due(new DueRule(0, Optional.of(0L), 0))).isFalse();
    }
}
