package dev.stet.ledger;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.Ledger.Outcome.REFUSED;
import static dev.stet.ledger.LedgerUnderTest.copy;
import static dev.stet.ledger.LedgerUnderTest.details;
import static dev.stet.ledger.LedgerUnderTest.entries;
import static dev.stet.ledger.LedgerUnderTest.fingerprint;
import static dev.stet.ledger.LedgerUnderTest.ids;
import static dev.stet.ledger.LedgerUnderTest.pages;
import static dev.stet.ledger.LedgerUnderTest.put;
import static dev.stet.ledger.LedgerUnderTest.uploading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.faults.FaultPlan;
import dev.stet.faults.FaultPlan.Fault;
import dev.stet.store.UnknownOutcomeException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The protocol's model tells, for each rule, the shortest story that loses or doubles a record without it. Each is told here, up to the step that the
 * ledger refuses. Objects a &lt; b; workers w1, w2; compactors c1, c2.
 */
public interface StoryContract extends LedgerUnderTest {

    /** no-fence: the sweeper deletes the bundle of an UPLOADING commit without turning it ABANDONED first. */
    @Test
    default void aSweptCommitCanNeverCommit() throws Exception {
        ledger().begin(uploading("w1.0"));
        List<PageUpdate> seen = List.of(put(ledger().pageOf("a"), "a"));
        // A sweeper that leaves the fence out gets no row that allows a deletion.
        ledger().markSwept("w1.0");
        assertThat(ledger().find("w1.0").orElseThrow().swept()).isFalse();
        // One that fences first may delete: the worker, thawed, fails.
        assertThat(ledger().abandon("w1.0")).isEqualTo(APPLIED);
        assertThat(ledger().commit("w1.0", details(1), seen)).isEqualTo(REFUSED);
        assertThat(pages(ledger()).getFirst().entries()).isEqualTo(PageEntries.EMPTY);
        assertThat(copy(ledger(), "w1.1", "a")).isEqualTo(APPLIED);
        // And one that comes after the commit cannot fence, so the bundle stays.
        assertThat(ledger().abandon("w1.1")).isEqualTo(REFUSED);
        assertThat(ids(ledger(), CommitState.COMMITTED)).containsExactly("w1.1");
    }

    /** no-page-version: a commit does not check the versions of its pages. */
    @Test
    default void twoWorkersThatReadTheSamePageCommitOnce() throws Exception {
        ledger().begin(uploading("w1.0"));
        ledger().begin(uploading("w2.0"));
        List<PageUpdate> w1 = List.of(put(ledger().pageOf("a"), "a", "b"));
        List<PageUpdate> w2 = List.of(put(ledger().pageOf("b"), "b"));
        assertThat(ledger().commit("w2.0", details(1), w2)).isEqualTo(APPLIED);
        assertThat(ledger().commit("w1.0", details(2), w1)).isEqualTo(REFUSED);
        // It looks again, finds b taken, and leaves this commit behind for one of a alone.
        assertThat(ledger().pageOf("b").entries().holds(fingerprint("b"))).isTrue();
        assertThat(ledger().pageOf("a").entries().holds(fingerprint("a"))).isFalse();
        assertThat(ledger().abandon("w1.0")).isEqualTo(APPLIED);
        assertThat(copy(ledger(), "w1.1", "a")).isEqualTo(APPLIED);
        assertThat(pages(ledger()).getFirst().entries()).isEqualTo(entries("a", "b"));
    }

    /** The same with a request that was given up, came late, and took effect meanwhile. */
    @Test
    default void aLateCommitDoesNotTakeWhatAnotherTook() throws Exception {
        FaultPlan plan = FaultPlan.at(2, Fault.DELAY);
        Ledger w1 = new FaultyLedger(ledger(), plan);
        w1.begin(uploading("w1.0"));
        List<PageUpdate> seen = List.of(put(ledger().pageOf("a"), "a", "b"));
        assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> w1.commit("w1.0", details(2), seen));
        assertThat(copy(ledger(), "w2.0", "b")).isEqualTo(APPLIED);
        assertThat(plan.deliver()).containsExactly(REFUSED);
        assertThat(w1.commit("w1.0", details(2), seen)).isEqualTo(REFUSED);
        assertThat(w1.find("w1.0").orElseThrow().state()).isEqualTo(CommitState.UPLOADING);

        // Nobody came in between: the late request takes effect, and the one sent again is refused. The row tells
        // which.
        FaultPlan again = FaultPlan.at(1, Fault.DELAY);
        Ledger w3 = new FaultyLedger(ledger(), again);
        ledger().begin(uploading("w3.0"));
        List<PageUpdate> current = List.of(put(ledger().pageOf("c"), "c"));
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> w3.commit("w3.0", details(1), current));
        assertThat(again.deliver()).containsExactly(APPLIED);
        assertThat(w3.commit("w3.0", details(1), current)).isEqualTo(REFUSED);
        assertThat(w3.find("w3.0").orElseThrow().state()).isEqualTo(CommitState.COMMITTED);
    }

    /** split-unversioned: a split creates the new page without bumping its predecessor's version. */
    @Test
    default void aCommitThatSawThePageBeforeItsSplitIsRefused() throws Exception {
        for (boolean written : List.of(false, true)) {
            String base = written ? "x" : "";
            if (written) {
                copy(ledger(), "first", "x");
            }
            String a = base + "a";
            String b = base + "b";
            ledger().begin(uploading(base + "w1.0"));
            List<PageUpdate> seen = List.of(put(ledger().pageOf(a), a, b));
            Page page = ledger().pageOf(a);
            assertThat(ledger().split(page, a, page.entries(), page.entries())).isEqualTo(APPLIED);
            assertThat(copy(ledger(), base + "w2.0", b)).isEqualTo(APPLIED);
            // Were it applied, b would count twice: in the new page, and in the old one where nobody looks for it.
            assertThat(ledger().commit(base + "w1.0", details(2), seen)).isEqualTo(REFUSED);
            assertThat(ledger().pageOf(a).entries().holds(fingerprint(a))).isFalse();
            assertThat(ledger().pageOf(b).entries().holds(fingerprint(b))).isTrue();
            assertThat(ledger().find(base + "w1.0").orElseThrow().state()).isEqualTo(CommitState.UPLOADING);
        }
    }

    /** And the other way round: a split that saw the page before a commit would drop the commit's entries. */
    @Test
    default void aSplitThatSawThePageBeforeACommitIsRefused() throws Exception {
        FaultPlan plan = FaultPlan.at(1, Fault.DELAY);
        Ledger splitter = new FaultyLedger(ledger(), plan);
        copy(ledger(), "w1.0", "a");
        Page page = ledger().pageOf("a");
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> splitter.split(page, "a", page.entries(), PageEntries.EMPTY));
        copy(ledger(), "w2.0", "b");
        assertThat(plan.deliver()).containsExactly(REFUSED);
        assertThat(pages(ledger()).getFirst().entries()).isEqualTo(entries("a", "b"));
    }

    /** stale-commits: a compactor reads the commits before it reads the generation. */
    @Test
    default void aCompactorThatReadTheGenerationFirstCannotLandAgain() throws Exception {
        copy(ledger(), "w1.0", "a");
        assertThat(ledger().latestCompaction()).isEmpty(); // c1 reads the generation, then the commits
        assertThat(ids(ledger(), CommitState.COMMITTED)).containsExactly("w1.0");
        landWhole(1, "w1.0"); // c2 overtakes
        assertThat(ledger().openCompaction(1, "c1's header")).isEqualTo(REFUSED);
        assertThat(ledger().latestCompaction()).contains(new Compaction(1, true, "header 1"));
        assertThat(ids(ledger(), CommitState.COMMITTED)).isEmpty();
    }

    /** The same compactor in the wrong order: it gets its generation, but the rows say who landed the commits before. */
    @Test
    default void aCompactorInTheWrongOrderFindsTheCommitsRetired() throws Exception {
        copy(ledger(), "w1.0", "a");
        List<String> stale = ids(ledger(), CommitState.COMMITTED);
        landWhole(1, "w1.0");
        assertThat(ledger().openCompaction(2, "header of " + stale)).isEqualTo(APPLIED);
        assertThat(ledger().retire("w1.0", 2)).isEqualTo(REFUSED);
        Commit row = ledger().find("w1.0").orElseThrow();
        assertThat(row.state()).isEqualTo(CommitState.RETIRED);
        assertThat(row.generation()).isEqualTo(1);
    }

    /** done-before-retire: DONE is written before the commits are retired. */
    @Test
    default void whileCommitsAreNotRetiredNobodyGetsTheNextGeneration() throws Exception {
        copy(ledger(), "w1.0", "a");
        copy(ledger(), "w1.1", "b");
        ledger().openCompaction(1, "header 1");
        ledger().retire("w1.0", 1); // c1 stops here; c2 comes
        assertThat(ids(ledger(), CommitState.COMMITTED)).containsExactly("w1.1");
        assertThat(ledger().openCompaction(2, "header of w1.1")).isEqualTo(REFUSED);
        // All that c2 can do is to go on with generation 1; every step may be repeated.
        assertThat(reopened().latestCompaction()).contains(new Compaction(1, false, "header 1"));
        assertThat(ledger().retire("w1.0", 1)).isEqualTo(REFUSED);
        assertThat(ledger().retire("w1.1", 1)).isEqualTo(APPLIED);
        assertThat(ledger().finishCompaction(1)).isEqualTo(APPLIED);
        assertThat(ids(ledger(), CommitState.COMMITTED)).isEmpty();
        assertThat(ids(ledger(), CommitState.RETIRED)).containsExactly("w1.0", "w1.1");
        assertThat(ledger().openCompaction(2, "header 2")).isEqualTo(APPLIED);
    }

    /** tombstone-gone: an ABANDONED item is deleted at once, and a late copy of the request that created it arrives afterwards. */
    @Test
    default void aTombstoneStopsALateCopyOfTheFirstRequest() throws Exception {
        ledger().begin(uploading("w1.0"));
        List<PageUpdate> seen = List.of(put(ledger().pageOf("a"), "a"));
        FaultPlan plan = FaultPlan.at(1, Fault.DELAY);
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> new FaultyLedger(ledger(), plan).begin(uploading("w1.0")));
        ledger().abandon("w1.0");
        ledger().forget("w1.0"); // before its bundle is known to be gone: stays
        ledger().markSwept("w1.0");
        assertThat(plan.deliver()).containsExactly(REFUSED);
        assertThat(ledger().commit("w1.0", details(1), seen)).isEqualTo(REFUSED);
        assertThat(ledger().find("w1.0").orElseThrow().state()).isEqualTo(CommitState.ABANDONED);

        // Why callers wait before they forget: without the tombstone the late copy opens the way for a bundle that is
        // gone.
        ledger().forget("w1.0");
        assertThat(ledger().begin(uploading("w1.0"))).isEqualTo(APPLIED);
    }

    /** Lands that commit by a compaction of its own, every step in its order. */
    private void landWhole(long generation, String id) throws Exception {
        assertThat(ledger().openCompaction(generation, "header " + generation)).isEqualTo(APPLIED);
        assertThat(ledger().retire(id, generation)).isEqualTo(APPLIED);
        assertThat(ledger().finishCompaction(generation)).isEqualTo(APPLIED);
    }
}
