package dev.stet.ledger;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.Ledger.Outcome.REFUSED;
import static dev.stet.ledger.LedgerUnderTest.copy;
import static dev.stet.ledger.LedgerUnderTest.details;
import static dev.stet.ledger.LedgerUnderTest.entries;
import static dev.stet.ledger.LedgerUnderTest.pages;
import static dev.stet.ledger.LedgerUnderTest.put;
import static dev.stet.ledger.LedgerUnderTest.split;
import static dev.stet.ledger.LedgerUnderTest.together;
import static dev.stet.ledger.LedgerUnderTest.uploading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stet.ledger.Ledger.Outcome;
import dev.stet.store.KeyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Any key has exactly one page at any time, whoever splits. */
public interface PageContract extends LedgerUnderTest {

    @Test
    default void anEmptyLedgerIsOnePageThatNobodyWrote() throws Exception {
        Page unwritten = new Page("", Optional.empty(), 0, PageEntries.EMPTY);
        assertThat(ledger().pageOf("a")).isEqualTo(unwritten);
        assertThat(ledger().pageAfter("")).isEqualTo(unwritten);
        assertThat(ledger().pageAfter("zz")).isEqualTo(unwritten);
    }

    @Test
    default void aPageIsBornByACommit() throws Exception {
        assertThat(copy(ledger(), "c", "k")).isEqualTo(APPLIED);
        assertThat(pages(ledger())).containsExactly(new Page("", Optional.empty(), 1, entries("k")));
    }

    @Test
    default void aPageIsBornByASplit() throws Exception {
        Page unwritten = ledger().pageOf("k");
        assertThat(ledger().split(unwritten, "k", entries("a"), entries("z"))).isEqualTo(APPLIED);
        assertThat(pages(ledger()))
                .containsExactly(
                        new Page("", Optional.of("k"), 1, entries("a")),
                        new Page("k", Optional.empty(), 1, entries("z")));
        assertThat(ledger().split(unwritten, "k", entries("a"), entries("z"))).isEqualTo(REFUSED);
        assertThat(ledger().split(unwritten, "m", entries("a"), entries("z"))).isEqualTo(REFUSED);
        assertThat(pages(ledger())).hasSize(2);
    }

    @Test
    default void theRangeExcludesAfterAndIncludesUpTo() throws Exception {
        split(ledger(), "m");
        assertThat(ledger().pageOf("l").after()).isEmpty();
        assertThat(ledger().pageOf("m").after()).isEmpty();
        assertThat(ledger().pageOf("m\u0000").after()).isEqualTo("m");
        assertThat(ledger().pageOf("m!").after()).isEqualTo("m");
        assertThat(ledger().pageAfter("l").after()).isEmpty();
        assertThat(ledger().pageAfter("m").after()).isEqualTo("m");
        assertThat(ledger().pageAfter("n").after()).isEqualTo("m");
    }

    @Test
    default void aSplitKeepsTheOuterEnds() throws Exception {
        split(ledger(), "m");
        split(ledger(), "t");
        split(ledger(), "p");
        split(ledger(), "c");
        assertThat(pages(ledger())).extracting(Page::after).containsExactly("", "c", "m", "p", "t");
        assertThat(pages(ledger())).extracting(Page::version).containsExactly(2L, 1L, 3L, 1L, 1L);
        assertThat(pages(ledger()).getLast().upTo()).isEmpty();
    }

    @Test
    default void aSplitOfAnOldVersionIsRefusedWholly() throws Exception {
        Page old = ledger().pageOf("m");
        copy(ledger(), "c", "m");
        List<Page> before = pages(ledger());
        assertThat(ledger().split(old, "m", entries(), entries())).isEqualTo(REFUSED);
        assertThat(pages(ledger())).isEqualTo(before);

        Page current = ledger().pageOf("m");
        assertThat(ledger().split(current, "m", entries("m"), entries())).isEqualTo(APPLIED);
        before = pages(ledger());
        assertThat(ledger().split(current, "m", entries("m"), entries())).isEqualTo(REFUSED);
        assertThat(ledger().split(current, "x", entries("m"), entries())).isEqualTo(REFUSED);
        assertThat(pages(ledger())).isEqualTo(before);
    }

    @Test
    default void aSplitMustLeaveRoomOnBothSides() throws Exception {
        split(ledger(), "d");
        split(ledger(), "m");
        Page middle = ledger().pageOf("m");
        for (String at : List.of("", "a", "d", "m", "z")) {
            assertThatIllegalArgumentException()
                    .as(at)
                    .isThrownBy(() -> ledger().split(middle, at, PageEntries.EMPTY, PageEntries.EMPTY));
        }
        assertThat(pages(ledger())).hasSize(3);
    }

    /** In UTF-16, which Java compares, the surrogates of U+1F600 come before U+FFFD; in UTF-8, and in a listing, after. */
    @Test
    default void pagesAreInTheOrderOfUtf8Bytes() throws Exception {
        List<String> sorted = List.of("A", "a", "zz", "\u007f", "\u00e9", "\u07ff", "\ud7ff", "\ufffd", "\ud83d\ude00");
        List<String> shuffled =
                List.of("\ud83d\ude00", "a", "\ufffd", "\u00e9", "A", "\ud7ff", "zz", "\u07ff", "\u007f");
        for (String at : shuffled) {
            assertThat(split(ledger(), at)).isEqualTo(APPLIED);
        }
        assertThat(pages(ledger()).stream().skip(1).map(Page::after)).isEqualTo(sorted);
        for (int i = 0; i < sorted.size(); i++) {
            assertThat(ledger().pageOf(sorted.get(i)).after()).isEqualTo(i == 0 ? "" : sorted.get(i - 1));
            assertThat(ledger().pageAfter(sorted.get(i)).after()).isEqualTo(sorted.get(i));
        }
        assertThat(ledger().pageOf("\ud83d\ude01").after()).isEqualTo("\ud83d\ude00");
        assertThat(ledger().pageOf("\ufffe").after()).isEqualTo("\ufffd");
    }

    @Test
    default void oddAndLongKeysSplitPages() throws Exception {
        List<String> keys = new ArrayList<>(List.of(
                "\u0001", " ", "'; DROP TABLE page; --", "%", "a\nb", "a#b", "a/b//", "\\", "e\u0301", "\u00e9", "#"));
        keys.add("k".repeat(1_024));
        keys.add("k".repeat(1_023) + "l");
        keys.add("\ud83d\ude00".repeat(256));
        for (String key : keys) {
            assertThat(split(ledger(), key)).as(key).isEqualTo(APPLIED);
        }
        keys.sort(KeyOrder.UTF8);
        assertThat(pages(reopened()).stream().skip(1).map(Page::after)).isEqualTo(keys);
        assertThat(ledger().pageOf("k".repeat(1_024)).after()).isNotEqualTo("k".repeat(1_024));
    }

    @Test
    default void aPageHoldsThousandsOfEntries() throws Exception {
        String[] keys = IntStream.range(0, 2_500).mapToObj(i -> "key " + i).toArray(String[]::new);
        ledger().begin(uploading("c"));
        ledger().commit("c", details(keys.length), List.of(put(ledger().pageOf("k"), keys)));
        assertThat(ledger().pageOf("k").entries()).isEqualTo(entries(keys));
    }

    @Test
    default void oneOfManyFirstBirthsSucceeds() throws Exception {
        Page unwritten = ledger().pageOf("m");
        List<Callable<Outcome>> births = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String id = "c" + i;
            ledger().begin(uploading(id));
            births.add(() -> ledger().commit(id, details(1), List.of(put(unwritten, id))));
            births.add(() -> ledger().split(unwritten, "m" + id, PageEntries.EMPTY, PageEntries.EMPTY));
        }
        assertThat(together(births)).containsOnlyOnce(APPLIED);
        assertThat(pages(ledger())).allMatch(p -> p.version() == 1);
        assertThat(LedgerUnderTest.ids(ledger(), CommitState.COMMITTED)).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    default void oneOfManySplitsOfAVersionSucceeds() throws Exception {
        copy(ledger(), "c", "m");
        Page page = ledger().pageOf("m");
        List<Callable<Outcome>> splits = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            String at = "m" + i / 2; // pairs that are alike: only one of them may be told that it was the one
            splits.add(() -> ledger().split(page, at, page.entries(), PageEntries.EMPTY));
        }
        assertThat(together(splits)).containsOnlyOnce(APPLIED);
        assertThat(pages(ledger())).hasSize(2);
    }

    @Test
    default void pagesOutliveTheProcess() throws Exception {
        copy(ledger(), "c", "a", "z");
        split(ledger(), "m");
        assertThat(pages(reopened())).isEqualTo(pages(ledger())).hasSize(2);
    }
}
