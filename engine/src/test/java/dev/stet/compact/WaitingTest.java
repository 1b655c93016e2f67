package dev.stet.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.audit.Digest;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.CommitState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which of the commits that wait a generation takes. */
class WaitingTest {
    private static final long MIB = 1L << 20;

    private static Commit commit(String id, long content, Long... days) {
        CommitDetails d = new CommitDetails(1, 0, "m", 1, Digest.EMPTY, Map.of(), content, List.of(days));
        return new Commit(id, CommitState.COMMITTED, "bundles/" + id, 0, Optional.of(d), 0, 0, false);
    }

    private static List<String> ids(Waiting waiting) {
        return waiting.taken().stream().map(Header.Taken::commitId).toList();
    }

    @Test
    void all_of_them_by_id_where_one_generation_is_enough() {
        Waiting waiting = new Waiting(3);
        for (String id : List.of("c", "a", "b")) {
            waiting.add(commit(id, 10, 20211005L));
        }
        assertThat(ids(waiting)).containsExactly("a", "b", "c");
        assertThat(waiting.more()).isFalse();
    }

    @Test
    void those_of_the_earliest_days_in_whatever_order_they_are_met() {
        List<Commit> commits = new java.util.ArrayList<>();
        for (int i = 0; i < 50; i++) {
            commits.add(commit("%02d".formatted(49 - i), 10, 20211000L + i));
        }
        for (int seed = 0; seed < 20; seed++) {
            java.util.Collections.shuffle(commits, new Random(seed));
            Waiting waiting = new Waiting(3);
            commits.forEach(waiting::add);
            assertThat(ids(waiting)).containsExactly("47", "48", "49");
            assertThat(waiting.more()).isTrue();
        }
    }

    @Test
    void what_is_set_aside_has_no_day_and_does_not_put_its_commit_first() {
        Waiting waiting = new Waiting(1);
        waiting.add(commit("late, something set aside", 10, 0L, 20211031L));
        waiting.add(commit("early", 10, 20211001L));
        assertThat(ids(waiting)).containsExactly("early");
    }

    @Test
    void large_ones_count_as_the_runs_they_are_likely_to_have() {
        Waiting waiting = new Waiting(4);
        waiting.add(commit("a", 256 * MIB, 20211001L));
        waiting.add(commit("b", 10, 20211002L));
        waiting.add(commit("c", 10, 20211003L));
        assertThat(ids(waiting)).containsExactly("a", "b");
        assertThat(waiting.more()).isTrue();
    }

    @Test
    void one_that_is_too_large_for_any_is_taken_alone() {
        Waiting waiting = new Waiting(4);
        waiting.add(commit("b", 8_192 * MIB, 20211002L));
        assertThat(ids(waiting)).containsExactly("b");
        assertThat(waiting.more()).isFalse();
        waiting.add(commit("c", 10, 20211003L));
        assertThat(ids(waiting)).containsExactly("b");
        assertThat(waiting.more()).isTrue();
    }
}
