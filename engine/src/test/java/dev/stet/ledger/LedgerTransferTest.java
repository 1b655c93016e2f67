package dev.stet.ledger;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.LedgerUnderTest.copy;
import static dev.stet.ledger.LedgerUnderTest.details;
import static dev.stet.ledger.LedgerUnderTest.ids;
import static dev.stet.ledger.LedgerUnderTest.pages;
import static dev.stet.ledger.LedgerUnderTest.split;
import static dev.stet.ledger.LedgerUnderTest.uploading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.faults.FaultPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LedgerTransferTest {
    private final ManualClock clock = new ManualClock();
    private final Ledger from = new InMemoryLedger(clock);

    /** Three pages, a compaction, and a commit in every state that can be carried. */
    private void fill(Ledger ledger) throws IOException {
        copy(ledger, "c1", "a", "m", "z");
        split(ledger, "g");
        split(ledger, "p");
        copy(ledger, "c2", "b", "n");
        assertThat(ledger.openCompaction(1, "headers/1")).isEqualTo(APPLIED);
        ledger.retire("c1", 1);
        ledger.finishCompaction(1);
        ledger.openCompaction(2, "headers/2");
        ledger.finishCompaction(2);
        ledger.begin(uploading("c3"));
        ledger.abandon("c3");
        ledger.begin(uploading("gone"));
        ledger.abandon("gone");
        ledger.markSwept("gone");
    }

    private static void assertCarried(Ledger from, Ledger to) throws IOException {
        assertThat(pages(to).stream().map(Page::range).toList())
                .isEqualTo(pages(from).stream().map(Page::range).toList());
        assertThat(pages(to).stream().map(Page::entries).toList())
                .isEqualTo(pages(from).stream().map(Page::entries).toList());
        assertThat(ids(to, CommitState.RETIRED)).containsExactly("c1");
        assertThat(ids(to, CommitState.COMMITTED))
                .contains("c2")
                .allMatch(id -> id.equals("c2") || id.startsWith("moved-"));
        assertThat(ids(to, CommitState.ABANDONED)).containsExactly("c3");
        assertThat(to.find("c2").orElseThrow().details()).contains(details(2));
        assertThat(to.find("gone")).isEmpty();
        assertThat(to.latestCompaction()).isEqualTo(from.latestCompaction()).isPresent();
    }

    @Test
    void everythingThatStillMeansSomethingIsCarried(@TempDir Path folder) throws Exception {
        fill(from);
        try (Ledger to = new SqliteLedger(folder.resolve("l"), "s", clock)) {
            LedgerTransfer.Carried carried = new LedgerTransfer(from, to).run();
            assertCarried(from, to);
            // Entries whose key is gone, or was not known where a page was split, are in both halves.
            assertThat(carried.pages()).isEqualTo(3);
            assertThat(carried.commits()).isEqualTo(3);
        }
    }

    @Test
    void anEmptyLedgerIsCarried() throws Exception {
        Ledger to = new InMemoryLedger(clock);
        assertThat(new LedgerTransfer(from, to).run()).isEqualTo(new LedgerTransfer.Carried(1, 0, 0));
        assertThat(to.latestCompaction()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL", "LOSE"})
    void endedAtAnyCallItGoesOnWhereItWas(FaultPlan.Fault fault) throws Exception {
        fill(from);
        boolean ended = true;
        for (int n = 1; ended; n++) {
            Ledger to = new InMemoryLedger(clock);
            FaultPlan plan = FaultPlan.crashAt(n, fault);
            ended = false;
            try {
                new LedgerTransfer(new FaultyLedger(from, plan), new FaultyLedger(to, plan)).run();
            } catch (IOException e) {
                ended = true;
            }
            new LedgerTransfer(from, to).run();
            assertCarried(from, to);
        }
    }

    @Test
    void whatWasBegunAfterTheMarkIsFencedAndAnOpenCompactionGoesOnThere() throws Exception {
        from.begin(uploading("late"));
        from.openCompaction(1, "h");
        from.finishCompaction(1);
        from.openCompaction(2, "h2");
        Ledger to = new InMemoryLedger(clock);
        new LedgerTransfer(from, to).run();
        assertThat(from.find("late").orElseThrow().state()).isEqualTo(CommitState.ABANDONED);
        assertThat(to.find("late").orElseThrow().state()).isEqualTo(CommitState.ABANDONED);
        assertThat(to.latestCompaction()).contains(new Compaction(2, false, "h2"));
    }

    @Test
    void aLedgerThatHoldsSomethingElseIsLeftAlone() throws Exception {
        fill(from);
        for (String there : List.of("x", "b")) {
            Ledger to = new InMemoryLedger(clock);
            copy(to, "another", there);
            List<Page> before = pages(to);
            assertThatThrownBy(() -> new LedgerTransfer(from, to).run())
                    .isInstanceOf(LedgerException.class)
                    .hasMessageContaining("something else");
            assertThat(pages(to)).isEqualTo(before);
        }
    }
}
