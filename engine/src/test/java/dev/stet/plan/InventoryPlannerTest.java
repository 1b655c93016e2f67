package dev.stet.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.stage.TaskFile;
import dev.stet.stage.TaskItem;
import dev.stet.store.InMemoryStore;
import dev.stet.store.KeyRange;
import dev.stet.store.StoreException;
import dev.stet.task.SourceTask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Cutting a source into tasks by an S3 Inventory. */
class InventoryPlannerTest {
    private static final TaskSize SIZE = new TaskSize(1_000, 1 << 30);

    private final InMemoryStore bucket = new InMemoryStore();
    private final Inventory inventory = new Inventory("devices");
    private final List<KeyRange> ranges = new ArrayList<>();

    private final List<String> notes = new ArrayList<>();

    private InventoryPlanner planner(int threads, BooleanSupplier stop) {
        InventoryPlanner.Source source = new InventoryPlanner.Source(
                "devices", "raw/", k -> k.startsWith("raw/") ? Optional.of(k.substring(4)) : Optional.empty());
        return new InventoryPlanner(bucket, source, 10_000, threads, stop, notes::add);
    }

    private SourcePlanner.Planned plan() throws Exception {
        return plan(planner(2, () -> false));
    }

    private SourcePlanner.Planned plan(InventoryPlanner planner) throws Exception {
        inventory.deliver(bucket::put);
        try (TaskFile file = new TaskFile(bucket, "plans/x")) {
            SourcePlanner.Planned planned = planner.plan(Inventory.MANIFEST, SIZE, file);
            TaskFile.Written written = file.complete();
            for (String item :
                    new String(bucket.bytes(written.itemsKey()), UTF_8).lines().toList()) {
                SourceTask task = SourceTask.ofLine(TaskItem.ofLine(item).read(bucket));
                ranges.add(((SourceTask.Range) task).range());
            }
            return planned;
        }
    }

    private ObjectNode firstFile() {
        return (ObjectNode) ((ArrayNode) inventory.manifest().get("files")).get(0);
    }

    private void refused(String... told) {
        assertThatThrownBy(this::plan)
                .isInstanceOf(StoreException.class)
                .message()
                .contains(told);
    }

    @Test
    void lines_in_no_order_and_odd_keys_give_even_ranges_that_cover_everything() throws Exception {
        int objects = 30_000;
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            lines.add(inventory.line("raw/%05d +,\u00e9\"".formatted(i), 1_000));
        }
        lines.add(inventory.line("other/1", 1_000));
        Collections.shuffle(lines, new Random(7));
        inventory.file(lines.subList(0, 20_000)).file(lines.subList(20_000, lines.size()));
        SourcePlanner.Planned planned = plan();
        assertThat(planned.objects()).isEqualTo(objects);
        assertThat(planned.bytes()).isEqualTo(objects * 1_000L);
        InventedSource source = new InventedSource(objects, 1_000, "%05d +,\u00e9\""::formatted);
        List<Long> sizes = ranges.stream().map(source::countIn).toList();
        assertThat(sizes).hasSize(30).allMatch(n -> n > 700 && n < 1_300);
        assertThat(sizes.stream().mapToLong(n -> n).sum()).isEqualTo(objects);
        assertThat(ranges.getFirst().after()).isEmpty();
        assertThat(ranges.getLast().upTo()).isEmpty();
    }

    @Test
    void old_versions_and_delete_markers_are_not_counted() throws Exception {
        inventory.file(List.of(
                inventory.line("raw/a", 10),
                inventory.line("raw/a", false, false, "100"),
                inventory.line("raw/b", true, true, ""),
                inventory.line("raw/b", false, false, "100")));
        SourcePlanner.Planned planned = plan();
        assertThat(planned.objects()).isEqualTo(1);
        assertThat(planned.bytes()).isEqualTo(10);
    }

    @Test
    void an_inventory_of_nothing_is_one_task_for_what_came_since() throws Exception {
        assertThat(plan().tasks()).isEqualTo(1);
        assertThat(ranges).containsExactly(KeyRange.ALL);
    }

    @Test
    void another_buckets_inventory_is_refused() throws Exception {
        inventory.file(List.of(inventory.line("raw/a", 10)));
        inventory.manifest().put("sourceBucket", "elsewhere");
        refused("not of the source's bucket devices but of elsewhere", Inventory.MANIFEST);
    }

    @Test
    void other_formats_are_refused() {
        inventory.manifest().put("fileFormat", "Parquet");
        refused("not in CSV but in Parquet", Inventory.MANIFEST);
    }

    @Test
    void fields_that_are_not_there_are_named() {
        inventory.manifest().put("fileSchema", "Bucket, Key");
        refused("lacks the field Key or Size", Inventory.MANIFEST);
    }

    @Test
    void no_manifest_is_said_so() {
        assertThatThrownBy(() ->
                        planner(1, () -> false).plan("nowhere/manifest.json", SIZE, new TaskFile(bucket, "plans/x")))
                .hasMessageContaining("there is no inventory manifest")
                .hasMessageContaining("nowhere/manifest.json");
    }

    @Test
    void a_file_that_is_not_what_the_manifest_says_is_refused() throws Exception {
        inventory.file(List.of(inventory.line("raw/a", 10)));
        firstFile().put("MD5checksum", "00112233445566778899aabbccddeeff");
        refused("its MD5 is", "00112233445566778899aabbccddeeff", "inventory/data/0.csv.gz");
    }

    @Test
    void a_file_that_is_cut_is_refused() throws Exception {
        inventory.file(List.of(inventory.line("raw/a", 10)));
        firstFile().put("size", inventory.stored(0).length - 9);
        refused("is damaged", "inventory/data/0.csv.gz");
    }

    @Test
    void a_line_that_cannot_be_read_is_named() throws Exception {
        inventory.file(List.of(inventory.line("raw/a", 10), inventory.line("raw/b", true, false, "ten")));
        refused("line 2", "ten", "inventory/data/0.csv.gz");
    }

    @Test
    void a_line_of_too_few_fields_is_named() throws Exception {
        inventory.file(List.of("\"devices\",\"raw/a\""));
        refused("line 1", "2 fields", "inventory/data/0.csv.gz");
    }

    @Test
    void several_threads_plan_as_evenly_as_one() throws Exception {
        for (int i = 0; i < 20; i++) {
            inventory.file(lines(i, 2_000));
        }
        SourcePlanner.Planned planned = plan(planner(4, () -> false));
        assertThat(planned.objects()).isEqualTo(40_000);
        assertThat(planned.bytes()).isEqualTo(400_000);
        InventedSource source = new InventedSource(40_000, 10, "%06d"::formatted);
        assertThat(ranges.stream().map(source::countIn).toList()).hasSize(40).allMatch(n -> n > 400 && n < 2_000);
        assertThat(notes).isEmpty();
    }

    @Test
    void when_time_is_up_the_files_read_stand_for_all_and_it_is_told() throws Exception {
        int files = 20;
        for (int i = 0; i < files; i++) {
            inventory.file(lines(i, 3_000));
        }
        AtomicInteger asked = new AtomicInteger();
        SourcePlanner.Planned planned = plan(planner(2, () -> asked.incrementAndGet() > 5));
        assertThat(notes).hasSize(1).first().asString().contains("6 of the inventory's 20 files", "% of its bytes");
        assertThat(planned.objects()).isBetween(57_000L, 63_000L);
        assertThat(planned.bytes()).isEqualTo(planned.objects() * 10);
        InventedSource source = new InventedSource(files * 3_000L, 10, "%06d"::formatted);
        List<Long> sizes = ranges.stream().map(source::countIn).toList();
        assertThat(sizes).hasSizeBetween(57, 63).allMatch(n -> n > 600 && n < 1_500);
        assertThat(sizes.stream().mapToLong(n -> n).sum()).isEqualTo(files * 3_000L);
    }

    @Test
    void one_file_is_read_whatever_the_time() throws Exception {
        inventory.file(lines(0, 3_000)).file(lines(1, 3_000));
        assertThat(plan(planner(2, () -> true)).objects()).isBetween(5_900L, 6_100L);
        assertThat(ranges.size()).isBetween(5, 7);
        assertThat(notes).hasSize(1);
    }

    /** Every twentieth key from one on, or so, as files hold any keys; in no order. */
    private List<String> lines(int file, int objects) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            lines.add(inventory.line("raw/%06d".formatted(i * 20 + file), 10));
        }
        Collections.shuffle(lines, new Random(file));
        return lines;
    }
}
