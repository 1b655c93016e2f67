package dev.stet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Plans stay within the services' limits; scripts/scale measures the sizes that docs/scale.md tells. */
class ScaleTest {
    /** Step Functions: the input of a child. */
    private static final long MAX_PAYLOAD = 256 << 10;

    @Test
    void a_plan_of_copying_grows_by_a_small_item_for_some_ten_thousand_objects() throws Exception {
        Scale.Copying c = Scale.copying(Archives.hashed(10_000_000), TaskSize.DEFAULT, 2);
        assertThat(c.planned().tasks()).isBetween(400L, 1_000L);
        assertThat(c.longestItem()).isLessThan(100);
        assertThat(c.written().bytes() / c.planned().tasks()).isLessThan(200);
        assertThat(c.planned().lists()).isLessThan(4 * c.planned().tasks());
        assertThat(c.planned().objects()).isBetween(8_000_000L, 13_000_000L);
    }

    @Test
    void a_plan_of_compacting_has_small_items_and_lines_that_one_read_gets() throws Exception {
        int runs = 200;
        int partitions = 2_000;
        Scale.Compacting c = Scale.compacting(runs, partitions, 16 << 20, 0, 1);
        assertThat(c.plan().outputs()).isEqualTo(partitions);
        assertThat(c.plan().tasks()).isBetween(8L, 9L);
        assertThat(c.longestItem()).isLessThan(100);
        // Four numbers a run.
        assertThat(c.longestLine()).isLessThan(200 + 24 * runs);
        // A footer for each run, and its index by blocks of memory's share.
        assertThat(c.reads()).isLessThan(10L * runs);
        assertThat(c.itemsBytes()).isLessThan(MAX_PAYLOAD);
    }
}
