package dev.stet.ledger;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.Ledger.Outcome.REFUSED;
import static dev.stet.ledger.LedgerUnderTest.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.ledger.Ledger.Outcome;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Generations count up without a gap, one at a time; so do the revisions of the pipeline's row. */
public interface CompactionContract extends LedgerUnderTest {

    @Test
    default void generationsFollowEachOther() throws Exception {
        assertThat(ledger().latestCompaction()).isEmpty();
        assertThat(ledger().finishCompaction(1)).isEqualTo(REFUSED);
        for (long g = 1; g <= 12; g++) {
            String header = "headers/" + g;
            assertThat(ledger().openCompaction(g + 1, "gap")).isEqualTo(REFUSED);
            assertThat(ledger().openCompaction(g - 1, "past")).isEqualTo(REFUSED);
            assertThat(ledger().openCompaction(g, header)).isEqualTo(APPLIED);
            assertThat(ledger().openCompaction(g, "again")).isEqualTo(REFUSED);
            assertThat(ledger().openCompaction(g, header)).isEqualTo(REFUSED);
            assertThat(ledger().openCompaction(g + 1, "two at once")).isEqualTo(REFUSED);
            assertThat(ledger().latestCompaction()).contains(new Compaction(g, false, header));
            assertThat(reopened().latestCompaction()).contains(new Compaction(g, false, header));

            assertThat(ledger().finishCompaction(g + 1)).isEqualTo(REFUSED);
            assertThat(ledger().finishCompaction(g - 1)).isEqualTo(REFUSED);
            assertThat(ledger().latestCompaction()).contains(new Compaction(g, false, header));
            assertThat(ledger().finishCompaction(g)).isEqualTo(APPLIED);
            assertThat(ledger().finishCompaction(g)).isEqualTo(REFUSED);
            assertThat(ledger().openCompaction(g, "done already")).isEqualTo(REFUSED);
            assertThat(ledger().latestCompaction()).contains(new Compaction(g, true, header));
        }
        assertThat(reopened().latestCompaction()).contains(new Compaction(12, true, "headers/12"));
    }

    @Test
    default void thereIsNoGenerationBeforeTheFirst() throws Exception {
        assertThat(ledger().openCompaction(0, "h")).isEqualTo(REFUSED);
        assertThat(ledger().openCompaction(-1, "h")).isEqualTo(REFUSED);
        assertThat(ledger().openCompaction(2, "h")).isEqualTo(REFUSED);
        assertThat(ledger().latestCompaction()).isEmpty();
    }

    @Test
    default void oneOfManyOpensAGenerationAndOneFinishesIt() throws Exception {
        for (long generation = 1; generation <= 3; generation++) {
            long g = generation;
            List<Outcome> opened = together(IntStream.range(0, 16)
                    .<Callable<Outcome>>mapToObj(i -> () -> ledger().openCompaction(g, "h" + i))
                    .toList());
            assertThat(opened).containsOnlyOnce(APPLIED);
            assertThat(ledger().latestCompaction()).contains(new Compaction(g, false, "h" + opened.indexOf(APPLIED)));
            assertThat(together(IntStream.range(0, 16)
                            .<Callable<Outcome>>mapToObj(i -> () -> ledger().finishCompaction(g))
                            .toList()))
                    .containsOnlyOnce(APPLIED);
        }
    }

    @Test
    default void thePipelineIsSavedRevisionByRevision() throws Exception {
        assertThat(ledger().pipeline()).isEmpty();
        assertThat(ledger().savePipeline(new PipelineRow("id", "s", "t", "r"), 1))
                .isEqualTo(REFUSED);
        assertThat(ledger().pipeline()).isEmpty();
        assertThat(ledger().savePipeline(new PipelineRow("id", "s", "t", "r").at(7), 0))
                .isEqualTo(APPLIED);
        assertThat(ledger().pipeline()).contains(new PipelineRow("id", "s", "t", "r").at(1));
        assertThat(ledger().savePipeline(new PipelineRow("id", "s2", "t2", "r2"), 0))
                .isEqualTo(REFUSED);
        assertThat(ledger().savePipeline(new PipelineRow("id", "s2", "t2", "r2"), 2))
                .isEqualTo(REFUSED);
        assertThat(ledger().pipeline()).contains(new PipelineRow("id", "s", "t", "r").at(1));
        assertThat(ledger().savePipeline(new PipelineRow("id", "s2", "", "r\n\u00e92"), 1))
                .isEqualTo(APPLIED);
        assertThat(ledger().savePipeline(new PipelineRow("id", "s2", "", "r\n\u00e92"), 1))
                .isEqualTo(REFUSED);
        assertThat(reopened().pipeline()).contains(new PipelineRow("id", "s2", "", "r\n\u00e92").at(2));
        PipelineRow moved = new PipelineRow("id", "s2", "t", "r").moving(new PipelineRow.Move.To("another"));
        assertThat(ledger().savePipeline(moved, 2)).isEqualTo(APPLIED);
        assertThat(reopened().pipeline()).contains(moved.at(3));
        PipelineRow arriving = moved.moving(new PipelineRow.Move.From("another"));
        assertThat(ledger().savePipeline(arriving, 3)).isEqualTo(APPLIED);
        assertThat(reopened().pipeline()).contains(arriving.at(4));
        assertThat(ledger().savePipeline(arriving.inUse(), 4)).isEqualTo(APPLIED);
        assertThat(reopened().pipeline()).contains(new PipelineRow("id", "s2", "t", "r").at(5));
    }

    @Test
    default void oneOfManySavesARevision() throws Exception {
        for (long revision = 0; revision < 3; revision++) {
            long expected = revision;
            assertThat(together(IntStream.range(0, 16)
                            .<Callable<Outcome>>mapToObj(i ->
                                    () -> ledger().savePipeline(new PipelineRow("id", "s" + i, "t", "r"), expected))
                            .toList()))
                    .containsOnlyOnce(APPLIED);
            assertThat(ledger().pipeline().orElseThrow().revision()).isEqualTo(expected + 1);
        }
    }
}
