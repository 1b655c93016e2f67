package dev.stet.ledger;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.Ledger.Outcome.REFUSED;
import static dev.stet.ledger.LedgerUnderTest.copy;
import static dev.stet.ledger.LedgerUnderTest.details;
import static dev.stet.ledger.LedgerUnderTest.entries;
import static dev.stet.ledger.LedgerUnderTest.ids;
import static dev.stet.ledger.LedgerUnderTest.pages;
import static dev.stet.ledger.LedgerUnderTest.put;
import static dev.stet.ledger.LedgerUnderTest.split;
import static dev.stet.ledger.LedgerUnderTest.together;
import static dev.stet.ledger.LedgerUnderTest.uploading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stet.audit.Digest;
import dev.stet.ledger.Ledger.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A commit goes one way through its states, and takes all of its pages with it or none. */
public interface CommitContract extends LedgerUnderTest {

    @Test
    default void aCommitLivesItsLife() throws Exception {
        assertThat(ledger().find("c")).isEmpty();
        Commit begun = Commit.uploading("c", "bundles/c", 5_000, 17);
        assertThat(ledger().begin(begun)).isEqualTo(APPLIED);
        assertThat(ledger().find("c")).contains(begun);

        clock().advance(1_000);
        assertThat(ledger().renewLease("c", 9_000)).isEqualTo(APPLIED);
        Commit renewed = new Commit("c", CommitState.UPLOADING, "bundles/c", 9_000, Optional.empty(), 0, 17, false);
        assertThat(ledger().find("c")).contains(renewed);

        CommitDetails details = details(1);
        assertThat(ledger().commit("c", details, List.of(put(ledger().pageOf("k"), "k"))))
                .isEqualTo(APPLIED);
        long committedAt = clock().millis();
        Commit committed =
                new Commit("c", CommitState.COMMITTED, "bundles/c", 9_000, Optional.of(details), 0, committedAt, false);
        assertThat(ledger().find("c")).contains(committed);

        clock().advance(1_000);
        assertThat(ledger().retire("c", 12)).isEqualTo(APPLIED);
        long retiredAt = clock().millis();
        Commit retired =
                new Commit("c", CommitState.RETIRED, "bundles/c", 9_000, Optional.of(details), 12, retiredAt, false);
        assertThat(ledger().find("c")).contains(retired);

        clock().advance(1_000);
        ledger().markSwept("c");
        Commit swept =
                new Commit("c", CommitState.RETIRED, "bundles/c", 9_000, Optional.of(details), 12, retiredAt, true);
        assertThat(ledger().find("c")).contains(swept);
        ledger().markSwept("c");
        assertThat(ledger().find("c")).contains(swept);
        assertThat(reopened().find("c")).contains(swept);

        ledger().forget("c");
        assertThat(ledger().find("c")).isEmpty();
        ledger().forget("c");
        assertThat(ledger().pageOf("k").entries()).isEqualTo(entries("k"));
    }

    @Test
    default void anAbandonedCommitKeepsItsRowUntilForgotten() throws Exception {
        ledger().begin(uploading("c"));
        clock().advance(5);
        assertThat(ledger().abandon("c")).isEqualTo(APPLIED);
        Commit abandoned = new Commit(
                "c", CommitState.ABANDONED, "bundles/c", 1_000, Optional.empty(), 0, clock().millis(), false);
        assertThat(ledger().find("c")).contains(abandoned);
        ledger().forget("c");
        assertThat(ledger().find("c")).contains(abandoned);
        ledger().markSwept("c");
        assertThat(ledger().find("c").orElseThrow().swept()).isTrue();
        ledger().forget("c");
        assertThat(ledger().find("c")).isEmpty();
    }

    @Test
    default void anIdIsTakenOnce() throws Exception {
        ledger().begin(uploading("c"));
        Optional<Commit> first = ledger().find("c");
        assertThat(ledger().begin(Commit.uploading("c", "other", 2_000, 11))).isEqualTo(REFUSED);
        assertThat(ledger().begin(uploading("c"))).isEqualTo(REFUSED);
        assertThat(ledger().find("c")).isEqualTo(first);
        List<Callable<Outcome>> begins = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            begins.add(() -> ledger().begin(uploading("d")));
        }
        assertThat(together(begins)).containsOnlyOnce(APPLIED);
    }

    /** One step of a commit's life. */
    interface Step {
        Outcome take(Ledger ledger, String id) throws IOException;
    }

    @Test
    default void noOtherWayAndNoWayBack() throws Exception {
        split(ledger(), "m");
        Map<String, Step> steps = new LinkedHashMap<>();
        steps.put("begin", (l, id) -> l.begin(Commit.uploading(id, "again", 1, 1)));
        steps.put("renew", (l, id) -> l.renewLease(id, 99));
        steps.put("commit", (l, id) -> l.commit(id, details(3), List.of(put(l.pageOf("k"), "late " + id))));
        steps.put("abandon", Ledger::abandon);
        steps.put("retire", (l, id) -> l.retire(id, 2));

        Map<String, List<String>> ways = Map.of(
                "absent", List.of(),
                "UPLOADING", List.of("begin"),
                "COMMITTED", List.of("begin", "commit"),
                "RETIRED", List.of("begin", "commit", "retire"),
                "ABANDONED", List.of("begin", "abandon"));
        Map<String, List<String>> allowed = Map.of(
                "absent", List.of("begin"),
                "UPLOADING", List.of("renew", "commit", "abandon"),
                "COMMITTED", List.of("retire"),
                "RETIRED", List.of(),
                "ABANDONED", List.of());
        for (String state : ways.keySet()) {
            for (String step : steps.keySet()) {
                String id = state + "/" + step;
                for (String way : ways.get(state)) {
                    assertThat(steps.get(way).take(ledger(), id)).isEqualTo(APPLIED);
                }
                Optional<Commit> row = ledger().find(id);
                List<Page> pages = pages(ledger());
                clock().advance(1);
                boolean may = allowed.get(state).contains(step);
                assertThat(steps.get(step).take(ledger(), id)).as(id).isEqualTo(may ? APPLIED : REFUSED);
                if (!may) {
                    assertThat(ledger().find(id)).as(id).isEqualTo(row);
                    assertThat(pages(ledger())).as(id).isEqualTo(pages);
                }
            }
        }
    }

    @Test
    default void onlyGarbageIsSweptAndForgotten() throws Exception {
        ledger().begin(uploading("up"));
        copy(ledger(), "committed", "k");
        for (String id : List.of("up", "committed", "absent")) {
            Optional<Commit> row = ledger().find(id);
            ledger().markSwept(id);
            ledger().forget(id);
            assertThat(ledger().find(id)).isEqualTo(row);
        }
        ledger().retire("committed", 1);
        ledger().forget("committed");
        assertThat(ledger().find("committed")).isPresent();
    }

    @Test
    default void detailsComeBackAsTheyWere() throws Exception {
        CommitDetails rich = new CommitDetails(
                Long.MAX_VALUE,
                Integer.MIN_VALUE,
                "m/\u00e9 \ud83d\ude00",
                Long.MAX_VALUE,
                new Digest(Long.MAX_VALUE, 1, Long.MIN_VALUE, -1),
                Map.of("too_deep", 3L, "not_utf8", Long.MAX_VALUE),
                5,
                LongStream.range(-600, 600).boxed().toList(),
                List.of("part-1", "part-2"));
        CommitDetails bare = new CommitDetails(0, 0, "", 0, Digest.EMPTY, Map.of(), 0, List.of());
        ledger().begin(uploading("rich"));
        ledger().begin(uploading("bare"));
        assertThat(ledger().commit("rich", rich, List.of())).isEqualTo(APPLIED);
        assertThat(ledger().commit("bare", bare, List.of())).isEqualTo(APPLIED);
        assertThat(ledger().find("rich").orElseThrow().details()).contains(rich);
        assertThat(ledger().find("bare").orElseThrow().details()).contains(bare);
        List<CommitDetails> listed = new ArrayList<>();
        ledger().forEach(CommitState.COMMITTED, c -> listed.add(c.details().orElseThrow()));
        assertThat(listed).containsExactly(bare, rich);
    }

    @Test
    default void aCommitTouchesAsManyPagesAsAllowedAtOnce() throws Exception {
        String[] keys = IntStream.range(0, Ledger.MAX_PAGES_PER_COMMIT + 1)
                .mapToObj("k%03d"::formatted)
                .toArray(String[]::new);
        for (int i = 0; i < keys.length - 1; i++) {
            split(ledger(), keys[i]);
        }
        List<PageUpdate> updates = new ArrayList<>();
        for (String key : keys) {
            updates.add(put(ledger().pageOf(key), key));
        }
        ledger().begin(uploading("c"));
        assertThatIllegalArgumentException().isThrownBy(() -> ledger().commit("c", details(1), updates));
        assertThat(ledger().commit("c", details(1), updates.subList(1, updates.size())))
                .isEqualTo(APPLIED);
        for (String key : List.of(keys).subList(1, keys.length)) {
            assertThat(ledger().pageOf(key).entries()).as(key).isEqualTo(entries(key));
        }
        assertThat(ledger().pageOf(keys[0]).entries()).isEqualTo(entries());
    }

    @Test
    default void aCommitMayNotUpdateAPageTwice() throws Exception {
        ledger().begin(uploading("c"));
        PageUpdate update = put(ledger().pageOf("k"), "k");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ledger().commit("c", details(1), List.of(update, update)));
        assertThat(pages(ledger()).getFirst().version()).isZero();
    }

    @Test
    default void oneStalePageRefusesTheWholeCommit() throws Exception {
        split(ledger(), "g");
        split(ledger(), "p");
        List<String> keys = List.of("a", "k", "z");
        for (String stale : keys) {
            String id = "c" + stale;
            ledger().begin(uploading(id));
            List<PageUpdate> updates = new ArrayList<>();
            for (String key : keys) {
                updates.add(put(ledger().pageOf(key), id));
            }
            assertThat(copy(ledger(), "other" + stale, stale)).isEqualTo(APPLIED);
            List<Page> before = pages(ledger());
            assertThat(ledger().commit(id, details(3), updates)).isEqualTo(REFUSED);
            assertThat(pages(ledger())).isEqualTo(before);
            assertThat(pages(reopened())).isEqualTo(before);
            assertThat(ledger().find(id)).contains(uploading(id));
        }
    }

    @Test
    default void aVersionFromTheFutureIsRefused() throws Exception {
        copy(ledger(), "c", "k");
        ledger().begin(uploading("d"));
        assertThat(ledger().commit("d", details(1), List.of(new PageUpdate("", 2, entries("x")))))
                .isEqualTo(REFUSED);
        assertThat(ledger().commit("d", details(1), List.of(new PageUpdate("nowhere", 1, entries("x")))))
                .isEqualTo(REFUSED);
        assertThat(pages(ledger())).containsExactly(new Page("", Optional.empty(), 1, entries("k")));
    }

    @Test
    default void committingAndAbandoningExcludeEachOther() throws Exception {
        for (int round = 0; round < 10; round++) {
            String id = "c" + round;
            ledger().begin(uploading(id));
            PageUpdate update = put(ledger().pageOf(id), id);
            List<Outcome> outcomes = together(List.<Callable<Outcome>>of(
                    () -> ledger().commit(id, details(1), List.of(update)), () -> ledger().abandon(id)));
            assertThat(outcomes).containsExactlyInAnyOrder(APPLIED, REFUSED);
            boolean committed = outcomes.getFirst() == APPLIED;
            assertThat(ledger().find(id).orElseThrow().state())
                    .isEqualTo(committed ? CommitState.COMMITTED : CommitState.ABANDONED);
            assertThat(ledger().pageOf(id).entries().holds(LedgerUnderTest.fingerprint(id)))
                    .isEqualTo(committed);
        }
    }

    @Test
    default void forEachGoesThroughThousandsInOrder() throws Exception {
        int many = manyCommits();
        List<Callable<Outcome>> begins = IntStream.range(0, many)
                .<Callable<Outcome>>mapToObj(i -> () -> ledger().begin(uploading("c%04d".formatted(i))))
                .toList();
        for (int i = 0; i < begins.size(); i += 20) {
            together(begins.subList(i, Math.min(many, i + 20)));
        }
        ledger().begin(uploading("\ud83d\ude00"));
        ledger().begin(uploading("\ufffd"));
        ledger().begin(uploading("C"));
        List<String> ids = ids(ledger(), CommitState.UPLOADING);
        assertThat(ids).hasSize(many + 3).doesNotHaveDuplicates();
        assertThat(ids.getFirst()).isEqualTo("C");
        assertThat(ids.subList(1, many + 1)).isSorted();
        assertThat(ids.subList(many + 1, many + 3)).containsExactly("\ufffd", "\ud83d\ude00");
        assertThat(ids(reopened(), CommitState.UPLOADING)).isEqualTo(ids);
        for (CommitState state : List.of(CommitState.COMMITTED, CommitState.RETIRED, CommitState.ABANDONED)) {
            assertThat(ids(ledger(), state)).isEmpty();
        }
    }

    @Test
    default void theActionOfForEachMayChangeWhatItSees() throws Exception {
        for (int i = 0; i < 30; i++) {
            ledger().begin(uploading("c" + i));
        }
        ledger().forEach(CommitState.UPLOADING, c -> {
            try {
                assertThat(ledger().abandon(c.id())).isEqualTo(APPLIED);
                ledger().markSwept(c.id());
                ledger().forget(c.id());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        for (CommitState state : CommitState.values()) {
            assertThat(ids(ledger(), state)).isEmpty();
        }
    }
}
