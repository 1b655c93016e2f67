package dev.stet.aws.dynamodb;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.Ledger.Outcome.REFUSED;
import static dev.stet.ledger.LedgerUnderTest.copy;
import static dev.stet.ledger.LedgerUnderTest.entries;
import static dev.stet.ledger.LedgerUnderTest.pages;
import static dev.stet.ledger.LedgerUnderTest.split;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stet.ledger.Ledger.Outcome;
import dev.stet.ledger.LedgerException;
import dev.stet.ledger.LedgerUnderTest;
import dev.stet.ledger.ManualClock;
import dev.stet.ledger.Page;
import dev.stet.ledger.PageEntries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages spread over extents, planned or grown: to callers it is all one key space. */
class ExtentsTest {
    private final FakeDynamoDb service = new FakeDynamoDb(Weather.calm());

    private DynamoDbLedger open() {
        return Ledgers.open(service, "ledger", "pipeline", "source", new ManualClock());
    }

    private List<Row> extents() throws IOException {
        return Ledgers.calls(service, "ledger").all("EXTENTS#pipeline#source");
    }

    private int pagesIn(int extent) throws IOException {
        return Ledgers.calls(service, "ledger")
                .all("PAGE#pipeline#source#" + extent)
                .size();
    }

    @Test
    void plannedExtentsArePagesThatNobodyWrote() throws Exception {
        DynamoDbLedger ledger = open();
        assertThat(ledger.planExtents(List.of("t", "g", "g"))).isEqualTo(APPLIED);
        assertThat(pages(ledger))
                .containsExactly(
                        new Page("", Optional.of("g"), 0, PageEntries.EMPTY),
                        new Page("g", Optional.of("t"), 0, PageEntries.EMPTY),
                        new Page("t", Optional.empty(), 0, PageEntries.EMPTY));
        assertThat(ledger.pageOf("g").after()).isEmpty();
        assertThat(ledger.pageOf("ga").after()).isEqualTo("g");

        assertThat(copy(ledger, "c", "a", "g", "m", "t", "z")).isEqualTo(APPLIED);
        assertThat(pages(open()))
                .containsExactly(
                        new Page("", Optional.of("g"), 1, entries("a", "g")),
                        new Page("g", Optional.of("t"), 1, entries("m", "t")),
                        new Page("t", Optional.empty(), 1, entries("z")));
        assertThat(pagesIn(1)).isEqualTo(1);
    }

    @Test
    void aPlannedExtentIsSplitBeforeAnythingIsInIt() throws Exception {
        DynamoDbLedger ledger = open();
        ledger.planExtents(List.of("g"));
        assertThat(split(ledger, "m")).isEqualTo(APPLIED);
        assertThat(split(ledger, "c")).isEqualTo(APPLIED);
        assertThat(pages(ledger)).extracting(Page::after).containsExactly("", "c", "g", "m");
        assertThat(pagesIn(0)).isEqualTo(2);
        assertThat(pagesIn(1)).isEqualTo(2);
    }

    @Test
    void aPlanIsMadeOnce() throws Exception {
        DynamoDbLedger ledger = open();
        assertThat(ledger.planExtents(List.of("g"))).isEqualTo(APPLIED);
        assertThat(ledger.planExtents(List.of("h"))).isEqualTo(REFUSED);
        assertThat(open().planExtents(List.of())).isEqualTo(REFUSED);
        assertThat(pages(ledger)).hasSize(2);

        DynamoDbLedger other = Ledgers.open(service, "ledger", "other", "source", new ManualClock());
        Page looked = other.pageOf("a");
        assertThat(other.planExtents(List.of("h"))).isEqualTo(REFUSED);
        assertThat(other.pageOf("z")).isEqualTo(looked);
    }

    @Test
    void oneOfManyPlansIsStored() throws Exception {
        List<Callable<Outcome>> plans = IntStream.range(0, 16)
                .<Callable<Outcome>>mapToObj(i -> () -> open().planExtents(List.of("k" + i)))
                .toList();
        List<Outcome> outcomes = LedgerUnderTest.together(plans);
        assertThat(outcomes).containsOnlyOnce(APPLIED);
        assertThat(pages(open()).getLast().after()).isEqualTo("k" + outcomes.indexOf(APPLIED));
    }

    @Test
    void aPlanOfWhatCanBeNoKeyIsRefused() {
        for (String first : List.of("", "\0", "k".repeat(1_025))) {
            assertThatIllegalArgumentException().isThrownBy(() -> open().planExtents(List.of(first)));
        }
        List<String> tooMany =
                IntStream.range(0, 400).mapToObj(i -> "k".repeat(1_000) + i).toList();
        assertThatIllegalArgumentException().isThrownBy(() -> open().planExtents(tooMany));
    }

    @Test
    void anArchiveThatGrowsGetsNewExtents() throws Exception {
        DynamoDbLedger ledger = open();
        DynamoDbLedger other = open();
        assertThat(other.pageOf("k")).isEqualTo(ledger.pageOf("k"));
        List<String> keys = IntStream.range(0, 30).mapToObj("k%02d"::formatted).toList();
        for (String key : keys) {
            assertThat(copy(ledger, "c" + key, key)).isEqualTo(APPLIED);
            Page page = ledger.pageOf(key);
            assertThat(ledger.split(page, key, page.entries(), PageEntries.EMPTY))
                    .isEqualTo(APPLIED);
        }
        assertThat(extents()).hasSize(1 + 30 / Ledgers.PAGES_PER_EXTENT);
        assertThat(pagesIn(1)).isEqualTo(Ledgers.PAGES_PER_EXTENT);
        // One that read the map when there was a single extent finds every page all the same.
        assertThat(pages(other)).isEqualTo(pages(ledger)).hasSize(31);
        for (String key : keys) {
            assertThat(other.pageOf(key).entries()).isEqualTo(entries(key));
        }
        assertThat(copy(other, "late", "k99", "k005", "a")).isEqualTo(APPLIED);
        assertThat(open().pageOf("k99").entries()).isEqualTo(entries("k99"));
    }

    @Test
    void splitsInTheMiddleBeginNoExtent() throws Exception {
        DynamoDbLedger ledger = open();
        split(ledger, "z");
        for (int i = 30; i >= 10; i--) {
            assertThat(split(ledger, "k" + i)).isEqualTo(APPLIED);
        }
        assertThat(extents()).hasSize(1);
        assertThat(pages(ledger)).hasSize(23);
    }

    @Test
    void manySplitsOfTheLastPageAtOnce() throws Exception {
        DynamoDbLedger[] ledgers = {open(), open(), open()};
        List<Callable<Integer>> splitters = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
            int n = t;
            splitters.add(() -> {
                int applied = 0;
                for (int i = 0; i < 20; i++) {
                    DynamoDbLedger ledger = ledgers[(n + i) % ledgers.length];
                    String at = "k%03d".formatted(i * 16 + n);
                    Page page = ledger.pageOf(at);
                    if (!page.upTo().equals(Optional.of(at))
                            && ledger.split(page, at, page.entries(), page.entries()) == APPLIED) {
                        applied++;
                    }
                }
                return applied;
            });
        }
        int applied =
                LedgerUnderTest.together(splitters).stream().mapToInt(i -> i).sum();
        assertThat(pages(open())).hasSize(applied + 1);
        assertThat(pages(ledgers[0])).isEqualTo(pages(open()));
        List<String> firsts = new ArrayList<>();
        for (Row row : extents().subList(1, extents().size())) {
            firsts.add(row.key(Row.SORT).orElseThrow());
        }
        assertThat(firsts).isSorted();
        assertThat(pages(open())).extracting(Page::after).containsAll(firsts);
    }

    /** The keys of files may be longer than those of S3. */
    @Test
    void keysLongerThanASortKeyAreLookedUp() throws Exception {
        DynamoDbLedger ledger = open();
        String at = "k".repeat(1_024);
        assertThat(split(ledger, at)).isEqualTo(APPLIED);
        assertThat(ledger.pageOf(at).after()).isEmpty();
        assertThat(ledger.pageOf(at + "k").after()).isEqualTo(at);
        assertThat(ledger.pageAfter(at + "k").after()).isEqualTo(at);
        assertThat(ledger.pageOf("k".repeat(1_023) + "j" + "z".repeat(90)).after())
                .isEmpty();
        assertThat(ledger.pageAfter("k".repeat(1_023) + "j" + "z".repeat(90)).after())
                .isEmpty();
        assertThat(copy(ledger, "c", at + "k")).isEqualTo(APPLIED);
        Page last = ledger.pageOf(at + "k");
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() -> ledger.split(last, at + "k", last.entries(), PageEntries.EMPTY))
                .withMessageContaining("SQLite");
    }

    @Test
    void theKeyOfOneZeroByteIsLookedUp() throws Exception {
        DynamoDbLedger ledger = open();
        assertThat(copy(ledger, "c", "\0", "a")).isEqualTo(APPLIED);
        assertThat(ledger.pageOf("\0").entries()).isEqualTo(entries("\0", "a"));
        assertThat(ledger.pageAfter("\0").version()).isEqualTo(1);
    }
}
