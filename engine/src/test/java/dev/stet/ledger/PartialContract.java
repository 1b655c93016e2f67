package dev.stet.ledger;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.Ledger.Outcome.REFUSED;
import static dev.stet.ledger.LedgerUnderTest.copy;
import static dev.stet.ledger.LedgerUnderTest.details;
import static dev.stet.ledger.LedgerUnderTest.fingerprint;
import static dev.stet.ledger.LedgerUnderTest.ids;
import static dev.stet.ledger.LedgerUnderTest.put;
import static dev.stet.ledger.LedgerUnderTest.together;
import static dev.stet.ledger.LedgerUnderTest.uploading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stet.faults.FaultPlan;
import dev.stet.faults.FaultPlan.Fault;
import dev.stet.ledger.Ledger.Outcome;
import dev.stet.store.UnknownOutcomeException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** An object in several commits: none counts before the last, and then all do. */
public interface PartialContract extends LedgerUnderTest {
    private static PartialCopy none(String key) {
        return PartialCopy.none(key, "etag", 1_000, OptionalLong.empty());
    }

    /** Begins and commits a part that ends at {@code offset}. */
    private Outcome part(PartialCopy copy, String id, long offset) throws Exception {
        ledger().begin(uploading(id));
        return ledger().commitPart(details(0), copy.with(id, offset, true));
    }

    private PartialCopy now(String key) throws Exception {
        return ledger().partialCopy(key).orElseThrow();
    }

    @Test
    default void partsCountAllAtOnceWithTheLast() throws Exception {
        PartialCopy none = PartialCopy.none("big", "e-1", 1L << 40, OptionalLong.of(77));
        clock().advance(5);
        assertThat(part(none, "p1", 10)).isEqualTo(APPLIED);
        assertThat(now("big"))
                .isEqualTo(new PartialCopy(
                        "big", "e-1", 1L << 40, OptionalLong.of(77), List.of("p1"), 10, true, clock().millis()));
        clock().advance(5);
        ledger().begin(uploading("p2"));
        assertThat(ledger().commitPart(details(0), now("big").with("p2", 20, false)))
                .isEqualTo(APPLIED);
        assertThat(reopened().partialCopy("big"))
                .contains(new PartialCopy(
                        "big", "e-1", 1L << 40, OptionalLong.of(77), List.of("p1", "p2"), 20, false, clock().millis()));
        assertThat(ids(ledger(), CommitState.PARTIAL)).containsExactly("p1", "p2");
        assertThat(ids(ledger(), CommitState.COMMITTED)).isEmpty();
        assertThat(ledger().find("p1").orElseThrow().details()).contains(details(0));

        ledger().begin(uploading("p3"));
        clock().advance(5);
        assertThat(ledger().commitLast("p3", details(1), put(ledger().pageOf("big"), "big"), now("big")))
                .isEqualTo(APPLIED);
        assertThat(ids(ledger(), CommitState.COMMITTED)).containsExactly("p1", "p2", "p3");
        assertThat(ids(ledger(), CommitState.PARTIAL)).isEmpty();
        for (String id : List.of("p1", "p2", "p3")) {
            Commit c = ledger().find(id).orElseThrow();
            assertThat(c.changedAt()).isEqualTo(clock().millis());
            assertThat(c.details()).contains(details(id.equals("p3") ? 1 : 0));
        }
        assertThat(ledger().pageOf("big").entries().holds(fingerprint("big"))).isTrue();
        assertThat(ledger().partialCopy("big")).isEmpty();
        assertThat(ledger().retire("p1", 1)).isEqualTo(APPLIED);
    }

    @Test
    default void givenUpItIsAbandonedInAllItsParts() throws Exception {
        part(none("big"), "p1", 10);
        part(now("big"), "p2", 20);
        part(none("other"), "q1", 10);
        PartialCopy stale = none("big").with("p1", 10, true);
        assertThat(ledger().abandonPartialCopy(stale)).isEqualTo(REFUSED);
        PartialCopy copy = now("big");
        assertThat(ledger().abandonPartialCopy(copy)).isEqualTo(APPLIED);
        assertThat(ledger().abandonPartialCopy(copy)).isEqualTo(REFUSED);
        assertThat(ids(ledger(), CommitState.ABANDONED)).containsExactly("p1", "p2");
        assertThat(ids(ledger(), CommitState.PARTIAL)).containsExactly("q1");
        ledger().markSwept("p1");
        assertThat(ledger().find("p1").orElseThrow().swept()).isTrue();
        List<String> keys = new ArrayList<>();
        ledger().forEachPartialCopy(c -> keys.add(c.key()));
        assertThat(keys).containsExactly("other");
        // It may begin anew.
        assertThat(part(none("big"), "p3", 5)).isEqualTo(APPLIED);
    }

    @Test
    default void onePartAloneCanNeitherBeCommittedNorAbandonedNorRetiredNorSwept() throws Exception {
        part(none("big"), "p1", 10);
        assertThat(ledger().commit("p1", details(1), List.of(put(ledger().pageOf("big"), "big"))))
                .isEqualTo(REFUSED);
        assertThat(ledger().abandon("p1")).isEqualTo(REFUSED);
        assertThat(ledger().retire("p1", 1)).isEqualTo(REFUSED);
        assertThat(ledger().renewLease("p1", 99_000)).isEqualTo(REFUSED);
        ledger().markSwept("p1");
        Commit c = ledger().find("p1").orElseThrow();
        assertThat(c.state()).isEqualTo(CommitState.PARTIAL);
        assertThat(c.swept()).isFalse();
    }

    /** A worker that thaws after another has redone its part must not add it once more. */
    @Test
    default void aPartThatAnotherWorkerRedidIsRefused() throws Exception {
        part(none("big"), "p1", 10);
        PartialCopy seen = now("big");
        ledger().begin(uploading("zombie"));
        assertThat(part(seen, "p2", 20)).isEqualTo(APPLIED);
        assertThat(ledger().commitPart(details(0), seen.with("zombie", 20, true)))
                .isEqualTo(REFUSED);
        assertThat(ledger().commitLast("zombie", details(1), put(ledger().pageOf("big"), "big"), seen))
                .isEqualTo(REFUSED);
        assertThat(ledger().find("zombie").orElseThrow().state()).isEqualTo(CommitState.UPLOADING);
        assertThat(now("big").commits()).containsExactly("p1", "p2");
        assertThat(ids(ledger(), CommitState.COMMITTED)).isEmpty();
        assertThat(ledger().pageOf("big").entries()).isEqualTo(PageEntries.EMPTY);
        // Nor one that began before there was a row.
        assertThat(ledger().commitPart(details(0), none("big").with("zombie", 10, true)))
                .isEqualTo(REFUSED);
    }

    /** Nor after the object was given up and begun anew: it is as far as it was, and yet another row. */
    @Test
    default void aPartOfACopyThatWasBegunAnewIsRefused() throws Exception {
        part(none("big"), "p1", 10);
        PartialCopy seen = now("big");
        assertThat(ledger().abandonPartialCopy(seen)).isEqualTo(APPLIED);
        part(none("big"), "q1", 10);
        ledger().begin(uploading("zombie"));
        assertThat(ledger().commitPart(details(0), seen.with("zombie", 20, true)))
                .isEqualTo(REFUSED);
        assertThat(ledger().commitLast("zombie", details(1), put(ledger().pageOf("big"), "big"), seen))
                .isEqualTo(REFUSED);
        assertThat(ledger().abandonPartialCopy(seen)).isEqualTo(REFUSED);
        assertThat(now("big").commits()).containsExactly("q1");
        assertThat(ids(ledger(), CommitState.PARTIAL)).containsExactly("q1");
    }

    /** The same with a request that was given up, and came late. */
    @Test
    default void aLateLastCommitOfAnObjectGivenUpIsRefused() throws Exception {
        part(none("big"), "p1", 10);
        PartialCopy copy = now("big");
        ledger().begin(uploading("last"));
        FaultPlan plan = FaultPlan.at(1, Fault.DELAY);
        PageUpdate page = put(ledger().pageOf("big"), "big");
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> new FaultyLedger(ledger(), plan).commitLast("last", details(1), page, copy));
        // The object changed: another gives the parts up and copies it as it is now.
        assertThat(ledger().abandonPartialCopy(copy)).isEqualTo(APPLIED);
        assertThat(copy(ledger(), "whole", "big")).isEqualTo(APPLIED);
        assertThat(plan.deliver()).containsExactly(REFUSED);
        assertThat(ids(ledger(), CommitState.COMMITTED)).containsExactly("whole");
    }

    /** An object that was copied whole meanwhile, by the one-machine engine: its page moved, and holds another entry than before. */
    @Test
    default void theLastCommitNeedsThePageAsItWasSeen() throws Exception {
        part(none("big"), "p1", 10);
        PageUpdate seen = put(ledger().pageOf("big"), "big");
        assertThat(copy(ledger(), "whole", "big")).isEqualTo(APPLIED);
        ledger().begin(uploading("last"));
        assertThat(ledger().commitLast("last", details(1), seen, now("big"))).isEqualTo(REFUSED);
        assertThat(ids(ledger(), CommitState.PARTIAL)).containsExactly("p1");
        assertThat(ids(ledger(), CommitState.COMMITTED)).containsExactly("whole");
        assertThat(ledger().abandonPartialCopy(now("big"))).isEqualTo(APPLIED);
    }

    @Test
    default void aLastCommitThatIsFencedTakesNothingWithIt() throws Exception {
        part(none("big"), "p1", 10);
        ledger().begin(uploading("last"));
        ledger().abandon("last");
        assertThat(ledger().commitLast("last", details(1), put(ledger().pageOf("big"), "big"), now("big")))
                .isEqualTo(REFUSED);
        assertThat(ids(ledger(), CommitState.PARTIAL)).containsExactly("p1");
        assertThat(ledger().pageOf("big").entries()).isEqualTo(PageEntries.EMPTY);
        assertThat(now("big").commits()).containsExactly("p1");
        ledger().begin(uploading("fenced"));
        ledger().abandon("fenced");
        assertThat(ledger().commitPart(details(0), now("big").with("fenced", 20, true)))
                .isEqualTo(REFUSED);
        assertThat(now("big").commits()).containsExactly("p1");
    }

    @Test
    default void oneTransactionEndsAsManyPartsAsThereMayBe() throws Exception {
        part(none("big"), "p0", 1);
        for (int i = 1; i < Ledger.MAX_PARTIAL_COMMITS; i++) {
            assertThat(part(now("big"), "p" + i, i + 1)).isEqualTo(APPLIED);
        }
        PartialCopy full = now("big");
        assertThatIllegalArgumentException().isThrownBy(() -> part(full, "more", 1_000));
        assertThatIllegalArgumentException().isThrownBy(() -> ledger().abandonPartialCopy(none("big")));
        ledger().begin(uploading("last"));
        assertThat(ledger().commitLast("last", details(1), put(ledger().pageOf("big"), "big"), full))
                .isEqualTo(APPLIED);
        assertThat(ids(ledger(), CommitState.COMMITTED)).hasSize(Ledger.MAX_PARTIAL_COMMITS + 1);
        assertThat(ids(ledger(), CommitState.UPLOADING)).containsExactly("more");
    }

    @Test
    default void ofManyWhoAddThePartOneDoes() throws Exception {
        part(none("big"), "p0", 1);
        PartialCopy seen = now("big");
        List<Callable<Outcome>> tries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String id = "w" + i;
            tries.add(() -> {
                ledger().begin(uploading(id));
                return ledger().commitPart(details(0), seen.with(id, 2, true));
            });
        }
        assertThat(together(tries)).containsOnlyOnce(APPLIED);
        assertThat(now("big").commits()).hasSize(2);
        assertThat(ids(ledger(), CommitState.PARTIAL)).hasSize(2);
    }
}
