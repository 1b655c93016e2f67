package dev.stet.ledger;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.Ledger.Outcome.REFUSED;
import static dev.stet.ledger.LedgerUnderTest.copy;
import static dev.stet.ledger.LedgerUnderTest.entries;
import static dev.stet.ledger.LedgerUnderTest.pages;
import static dev.stet.ledger.LedgerUnderTest.split;
import static dev.stet.ledger.LedgerUnderTest.uploading;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** One pipeline's rows over several sources: pages belong to a source, everything else to the pipeline. */
public interface SourcesContract extends LedgerUnderTest {
    /** The ledger of the same pipeline over that source; the test closes it. */
    Ledger openFor(String source) throws IOException;

    @Test
    default void aPipelinePointedAtAnotherSourceStartsAfreshThere() throws Exception {
        try (Ledger one = openFor("one");
                Ledger two = openFor("two");
                Ledger again = openFor("one")) {
            copy(one, "c1", "a", "z");
            split(one, "m");
            assertThat(pages(two).getFirst().version()).isZero();
            copy(two, "c2", "a");
            assertThat(pages(two)).hasSize(1);
            assertThat(pages(two).getFirst().entries()).isEqualTo(entries("a"));
            assertThat(pages(again)).isEqualTo(pages(one)).hasSize(2);
        }
    }

    @Test
    default void commitsCompactionsAndTheRowAreThePipelines() throws Exception {
        try (Ledger one = openFor("one");
                Ledger two = openFor("two")) {
            assertThat(one.begin(uploading("c"))).isEqualTo(APPLIED);
            assertThat(two.begin(uploading("c"))).isEqualTo(REFUSED);
            assertThat(two.find("c")).isEqualTo(one.find("c")).isPresent();
            assertThat(one.openCompaction(1, "h")).isEqualTo(APPLIED);
            assertThat(two.openCompaction(1, "h")).isEqualTo(REFUSED);
            one.savePipeline(new PipelineRow("id", "one", "sink", "r"), 0);
            assertThat(two.pipeline()).isEqualTo(one.pipeline()).isPresent();
        }
    }
}
