package dev.stet.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.stage.TaskFile;
import dev.stet.stage.TaskItem;
import dev.stet.store.InMemoryStore;
import dev.stet.store.KeyRange;
import dev.stet.task.SourceTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Cutting sources into tasks by few listings. */
class RangeSplitterTest {
    private static final TaskSize SIZE = new TaskSize(20_000, 4L << 30);

    private static List<SizedRange> split(InventedSource source, TaskSize size) throws Exception {
        List<SizedRange> ranges = new ArrayList<>();
        assertThat(new RangeSplitter(source, size, () -> false).split(KeyRange.ALL, ranges::add))
                .isEmpty();
        return ranges;
    }

    private static void assertCovers(List<SizedRange> ranges) {
        assertThat(ranges.getFirst().range().after()).isEmpty();
        for (int i = 1; i < ranges.size(); i++) {
            assertThat(ranges.get(i - 1).range().upTo())
                    .contains(ranges.get(i).range().after());
        }
        assertThat(ranges.getLast().range().upTo()).isEmpty();
    }

    private static long[] counts(InventedSource source, List<SizedRange> ranges) {
        return ranges.stream()
                .mapToLong(r -> source.countIn(r.range()))
                .sorted()
                .toArray();
    }

    private static String describe(InventedSource source, long[] counts) {
        return "%d ranges, %d lists, smallest %d, median %d, largest %d"
                .formatted(
                        counts.length,
                        source.lists.get(),
                        counts[0],
                        counts[counts.length / 2],
                        counts[counts.length - 1]);
    }

    @Test
    void ranges_follow_each_other_and_are_of_a_tasks_size_by_one_listing_each() throws Exception {
        for (InventedSource source :
                List.of(Archives.firehose(2_000_000), Archives.hashed(2_000_000), Archives.numbered(2_000_000))) {
            List<SizedRange> ranges = split(source, SIZE);
            assertCovers(ranges);
            long[] counts = counts(source, ranges);
            String story = describe(source, counts);
            assertThat(ranges.size()).as(story).isBetween(80, 220);
            assertThat(counts[counts.length / 2]).as(story).isBetween(10_000L, 25_000L);
            assertThat(counts[counts.length - 1]).as(story).isLessThan(50_000);
            assertThat(source.lists.get()).as(story).isLessThan(5L * ranges.size());
        }
    }

    @Test
    void folders_smaller_than_a_task_are_put_together() throws Exception {
        InventedSource source = Archives.tenants(2_000_000);
        List<SizedRange> ranges = split(source, SIZE);
        assertCovers(ranges);
        long[] counts = counts(source, ranges);
        String story = describe(source, counts);
        assertThat(ranges.size()).as(story).isBetween(80, 300);
        assertThat(counts[counts.length / 2]).as(story).isGreaterThan(5_000);
        assertThat(counts[counts.length - 1]).as(story).isLessThan(60_000);
        assertThat(source.lists.get()).as(story).isLessThan(10L * ranges.size());
    }

    @Test
    void a_source_of_few_keys_is_one_task_and_counted() throws Exception {
        for (long objects : new long[] {0, 1, 999}) {
            InventedSource source = Archives.numbered(objects);
            assertThat(split(source, SIZE))
                    .containsExactly(new SizedRange(KeyRange.ALL, objects, objects * 100_000, true));
            assertThat(source.lists.get()).isEqualTo(1);
        }
    }

    @Test
    void large_objects_make_tasks_of_fewer() throws Exception {
        InventedSource source = Archives.numbered(100_000);
        List<SizedRange> ranges = split(source, new TaskSize(20_000, 200_000_000));
        assertThat(counts(source, ranges)[ranges.size() / 2]).isBetween(1_000L, 2_100L);
    }

    @Test
    void told_to_stop_it_leaves_the_rest_as_one_range() throws Exception {
        InventedSource source = Archives.numbered(1_000_000);
        List<SizedRange> ranges = new ArrayList<>();
        RangeSplitter splitter = new RangeSplitter(source, SIZE, () -> ranges.size() == 10);
        KeyRange left = splitter.split(KeyRange.ALL, ranges::add).orElseThrow();
        assertThat(left).isEqualTo(new KeyRange(ranges.getLast().range().upTo().orElseThrow(), Optional.empty()));
        new RangeSplitter(source, SIZE, () -> false).split(left, ranges::add);
        assertCovers(ranges);
    }

    @Test
    void keys_of_any_letters_are_covered_whatever_the_guesses_are_worth() throws Exception {
        InventedSource source = new InventedSource(
                30_000, 10, i -> new String(Character.toChars(0x4e00 + (int) (i / 3))) + (char) ('!' + i % 3));
        List<SizedRange> ranges = split(source, new TaskSize(2_500, 1 << 30));
        assertCovers(ranges);
        assertThat(ranges.size()).isBetween(5, 31);
    }

    @Test
    void a_plan_is_written_in_key_order_with_extents_of_a_million_objects() throws Exception {
        InMemoryStore staging = new InMemoryStore();
        SourcePlanner.Planned planned;
        TaskFile.Written written;
        try (TaskFile file = new TaskFile(staging, "plans/x")) {
            planned = new SourcePlanner(Archives.firehose(4_000_000), SIZE, 4, () -> false).plan(KeyRange.ALL, file);
            written = file.complete();
        }
        List<KeyRange> ranges = new ArrayList<>();
        for (String item :
                new String(staging.bytes(written.itemsKey()), UTF_8).lines().toList()) {
            assertThat(item.length()).isLessThan(100);
            SourceTask task = SourceTask.ofLine(TaskItem.ofLine(item).read(staging));
            ranges.add(((SourceTask.Range) task).range());
        }
        assertThat(planned.tasks()).isEqualTo(written.tasks()).isEqualTo(ranges.size());
        for (int i = 1; i < ranges.size(); i++) {
            assertThat(ranges.get(i - 1).upTo()).contains(ranges.get(i).after());
        }
        assertThat(planned.objects()).isBetween(3_000_000L, 6_000_000L);
        assertThat(planned.extents()).hasSizeBetween(2, 5).isSorted();
        assertThat(planned.left()).isEmpty();
    }

    @Test
    void extents_stay_within_what_a_ledger_takes() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            keys.add("2021/10/%06d".formatted(i));
        }
        List<String> thinned = SourcePlanner.thinned(keys);
        assertThat(thinned).hasSizeBetween(5_000, 10_000).isSorted();
    }
}
