package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.PipelineConfig;
import dev.stet.config.SinkCompression;
import dev.stet.ledger.ManualClock;
import dev.stet.route.RoutingSettings;
import dev.stet.route.TimeUnit;
import dev.stet.store.CaseProbe;
import dev.stet.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs over directories. */
class LocalEngineTest {
    @TempDir
    private Path folder;

    private Path source;
    private Path sink;
    private Path state;
    private final ManualClock clock = new ManualClock();
    private QuietListener listener = new QuietListener();

    private long memory = 64L << 20;
    private Optional<Long> stagingMax = Optional.empty();
    private boolean flush = true;
    private boolean sharedSink;
    private boolean acceptRoutingChange;
    private List<String> partitionFields = List.of("tenant_id");
    private List<String> include = List.of();
    private SinkCompression compression = SinkCompression.NONE;
    private PipelineConfig.LandingPolicy landing = PipelineConfig.LandingPolicy.DEFAULT;
    private CaseProbe probe = CaseProbe.FILES;

    @BeforeEach
    void lay() throws IOException {
        source = Files.createDirectories(folder.resolve("source"));
        sink = folder.resolve("sink");
        state = folder.resolve("state");
    }

    private PipelineConfig pipeline() {
        RoutingSettings routing = new RoutingSettings(
                List.of("event_type"),
                "",
                List.of(new RoutingSettings.PartitionLevel(partitionFields, Optional.empty())),
                "p_",
                List.of("time"),
                TimeUnit.DAY,
                "",
                true,
                Map.of(),
                RoutingSettings.OnMissing.QUARANTINE);
        return new PipelineConfig(
                Optional.empty(),
                Optional.empty(),
                new Location.Directory(source),
                Format.JSON,
                include,
                List.of(),
                Optional.empty(),
                routing,
                new Location.Directory(sink),
                compression,
                landing);
    }

    private RunCounters run() throws Exception {
        listener = new QuietListener();
        return engine().run(pipeline(), options(), listener).counters();
    }

    private LocalEngine engine() {
        return new LocalEngine(new Machine(Stores.NONE, Ledgers.NONE, Map.of(), clock, probe));
    }

    private RunOptions options() {
        return new RunOptions(
                LedgerPlace.EMBEDDED,
                Optional.of(state),
                Optional.empty(),
                stagingMax,
                2,
                Optional.of(memory),
                flush,
                sharedSink,
                acceptRoutingChange);
    }

    private static String record(String tenant, int day, String more) {
        return "{\"event_type\":\"e\",\"tenant_id\":\"%s\",\"time\":\"2021-10-%02d\",\"more\":\"%s\"}"
                .formatted(tenant, day, more);
    }

    private void put(String key, String... records) throws IOException {
        Path file = source.resolve(key);
        Files.createDirectories(file.getParent());
        Files.writeString(file, String.join("\n", records) + "\n");
    }

    /** Landed lines, quarantine left out. */
    private List<String> landed() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path f : files("")) {
            if (!f.startsWith(sink.resolve("_quarantine"))) {
                lines.addAll(read(f).lines().toList());
            }
        }
        return lines;
    }

    private static String read(Path f) throws IOException {
        byte[] bytes = Files.readAllBytes(f);
        if (f.toString().endsWith(".gz")) {
            try (GZIPInputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(bytes))) {
                bytes = in.readAllBytes();
            }
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private List<Path> files(String suffix) throws IOException {
        if (!Files.exists(sink)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(sink)) {
            return all.filter(Files::isRegularFile)
                    .filter(f -> f.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void a_second_run_copies_nothing_and_leaves_the_sink_alone() throws Exception {
        put("a", record("x", 1, "1"), record("y", 2, "2"));
        assertThat(run().recordsCopied()).isEqualTo(2);
        List<Path> before = files("");
        RunCounters second = run();
        assertThat(second.recordsCopied()).isZero();
        assertThat(second.objectsSkipped()).isEqualTo(1);
        assertThat(second.landedObjects()).isZero();
        assertThat(files("")).isEqualTo(before);
    }

    @Test
    void a_new_object_anywhere_in_key_order_is_the_only_one_copied() throws Exception {
        for (int i = 0; i < 2_500; i++) {
            put("m/%05d".formatted(i), record("x", 1, "m" + i));
        }
        assertThat(run().objectsCopied()).isEqualTo(2_500);
        put("a", record("x", 1, "first"));
        put("m/01234b", record("x", 1, "middle"));
        put("z", record("x", 1, "last"));
        RunCounters second = run();
        assertThat(second.objectsCopied()).isEqualTo(3);
        assertThat(second.objectsSkipped()).isEqualTo(2_500);
        assertThat(landed()).hasSize(2_503).doesNotHaveDuplicates();
    }

    @Test
    void a_replaced_object_is_copied_as_a_new_version_and_told() throws Exception {
        put("a", record("x", 1, "old"));
        run();
        put("a", record("x", 1, "newer"));
        RunCounters second = run();
        assertThat(second.recordsCopied()).isEqualTo(1);
        assertThat(listener.replaced).containsExactly("a");
        assertThat(landed()).containsExactlyInAnyOrder(record("x", 1, "old"), record("x", 1, "newer"));
    }

    @Test
    void a_touched_or_restored_file_of_equal_content_is_nothing_new() throws Exception {
        put("a", record("x", 1, "1"));
        run();
        Files.setLastModifiedTime(source.resolve("a"), FileTime.fromMillis(1_000_000));
        RunCounters second = run();
        assertThat(second.recordsCopied()).isZero();
        assertThat(second.objectsSkipped()).isEqualTo(1);
        assertThat(listener.replaced).isEmpty();
    }

    @Test
    void equal_records_are_all_copied() throws Exception {
        put("a", record("x", 1, "same"), record("x", 1, "same"));
        put("b", record("x", 1, "same"));
        run();
        assertThat(landed()).hasSize(3).containsOnly(record("x", 1, "same"));
    }

    @Test
    void a_state_in_use_is_refused_with_its_name() throws Exception {
        put("a", record("x", 1, "1"));
        Files.createDirectories(state);
        try (StateFolder held = StateFolder.lock(state)) {
            assertThat(held.path()).isEqualTo(state);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(this::run)
                    .withMessageContaining(state.toString());
        }
        assertThat(files("")).isEmpty();
        assertThat(run().recordsCopied()).isEqualTo(1);
    }

    @Test
    void a_lost_ledger_refuses_the_filled_sink_unless_it_is_shared() throws Exception {
        put("a", record("x", 1, "1"));
        run();
        state = folder.resolve("fresh");
        assertThatExceptionOfType(ConfigException.class).isThrownBy(this::run).withMessageContaining("--shared-sink");
        assertThat(landed()).hasSize(1);
    }

    @Test
    void a_lost_ledger_refuses_what_this_very_copy_landed_even_when_the_sink_is_shared() throws Exception {
        put("a", record("x", 1, "1"));
        run();
        put("b", record("y", 1, "2"));
        run();
        state = folder.resolve("fresh");
        sharedSink = true;
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(this::run)
                .withMessageContaining("this very copy landed them");
        assertThat(landed()).hasSize(2);
    }

    @Test
    void changed_routing_is_refused_until_it_is_accepted_and_then_holds_from_now_on() throws Exception {
        put("a", record("x", 1, "1"));
        run();
        put("b", record("x", 1, "2"));
        partitionFields = List.of("more");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(this::run)
                .withMessageContaining("batch_partition_fields")
                .withMessageContaining("--accept-routing-change");
        acceptRoutingChange = true;
        run();
        assertThat(files("")).anyMatch(f -> f.toString().contains("/p_more=2/"));
        acceptRoutingChange = false;
        assertThat(run().recordsCopied()).isZero();
    }

    @Test
    void a_glob_that_is_none_is_refused_before_anything_is_made() throws Exception {
        put("a", record("x", 1, "1"));
        include = List.of("[");
        assertThatExceptionOfType(ConfigException.class).isThrownBy(this::run).withMessageContaining("include");
        assertThat(sink).doesNotExist();
        assertThat(state).doesNotExist();
    }

    @Test
    void what_a_killed_process_left_of_the_database_driver_is_removed() throws Exception {
        put("a", record("x", 1, "1"));
        Files.createDirectories(state);
        Files.writeString(state.resolve("sqlite-1-libsqlitejdbc.so"), "left");
        Files.writeString(state.resolve("sqlite-1-libsqlitejdbc.so.lck"), "left");
        run();
        assertThat(state.resolve("sqlite-1-libsqlitejdbc.so")).doesNotExist();
        assertThat(state.resolve("sqlite-1-libsqlitejdbc.so.lck")).doesNotExist();
    }

    @Test
    void a_sink_that_ignores_letter_case_is_refused_before_anything_lands() throws Exception {
        put("a", record("x", 1, "1"));
        probe = directory -> false;
        assertThatExceptionOfType(StoreException.class).isThrownBy(this::run).withMessageContaining("letter case");
        assertThat(files("")).isEmpty();
    }

    @Test
    void without_flush_committed_records_wait_and_the_next_run_lands_them_in_one_object() throws Exception {
        flush = false;
        put("a", record("x", 1, "1"));
        assertThat(run().recordsCopied()).isEqualTo(1);
        put("b", record("x", 1, "2"));
        assertThat(run().recordsCopied()).isEqualTo(1);
        assertThat(files("")).isEmpty();
        flush = true;
        RunCounters third = run();
        assertThat(third.recordsCopied()).isZero();
        assertThat(third.landedObjects()).isEqualTo(1);
        assertThat(landed()).hasSize(2);
    }

    @Test
    void a_buffer_is_not_due_a_second_before_its_age_and_due_at_its_age() throws Exception {
        flush = false;
        put("a", record("x", 1, "1"));
        run();
        clock.advance(86_399_000);
        run();
        assertThat(files("")).isEmpty();
        clock.advance(1_000);
        assertThat(run().landedObjects()).isEqualTo(1);
    }

    @Test
    void a_buffer_is_due_when_committed_bytes_exceed_the_threshold() throws Exception {
        flush = false;
        landing = new PipelineConfig.LandingPolicy(86_400, Optional.of(100L), 1 << 30);
        put("a", record("x", 1, "1"));
        run();
        assertThat(files("")).isEmpty();
        put("b", record("x", 1, "2"));
        assertThat(run().landedObjects()).isEqualTo(1);
    }

    @Test
    void full_staging_lands_early_and_every_record_once() throws Exception {
        memory = 4 << 20;
        stagingMax = Optional.of(3L << 20);
        String filler = "f".repeat(1_000);
        for (int o = 0; o < 40; o++) {
            String[] records = new String[500];
            for (int i = 0; i < records.length; i++) {
                records[i] = record("t" + i % 5, 1 + o / 10, o + "-" + i + filler);
            }
            put("%02d".formatted(o), records);
        }
        run();
        assertThat(landed()).hasSize(20_000).doesNotHaveDuplicates();
        assertThat(files("-000001-0000.jsonl")).isNotEmpty();
        assertThat(files("-000002-0000.jsonl")).isNotEmpty();
    }

    @Test
    void little_memory_changes_no_byte() throws Exception {
        memory = 1;
        List<String> all = new ArrayList<>();
        for (int o = 0; o < 5; o++) {
            List<String> records = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                records.add(record("t" + i % 700, 1 + i % 28, o + "-" + i));
            }
            put("o" + o, records.toArray(String[]::new));
            all.addAll(records);
        }
        run();
        assertThat(landed()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(files("").stream().map(Path::getParent)).doesNotHaveDuplicates();
    }

    @Test
    void objects_are_begun_anew_rather_than_exceed_their_limit() throws Exception {
        flush = false;
        landing = new PipelineConfig.LandingPolicy(86_400, Optional.empty(), 150);
        for (int i = 0; i < 5; i++) {
            put("o" + i, record("x", 1, "r" + i));
            run();
        }
        flush = true;
        run();
        assertThat(files("")).hasSize(3).allMatch(f -> f.toFile().length() <= 150);
        assertThat(landed()).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void a_gzip_sink_gets_whole_gzip_files_with_the_quarantine_packed_alike() throws Exception {
        compression = SinkCompression.GZIP;
        put("a", record("x", 1, "1"), "{broken", record("x", 1, "2"), "{" + "b".repeat(100_000), record("y", 1, "3"));
        run();
        assertThat(files("")).allMatch(f -> f.toString().endsWith(".gz"));
        assertThat(landed()).hasSize(3);
        List<Path> quarantined = files(".jsonl.gz").stream()
                .filter(f -> f.toString().contains("_quarantine"))
                .toList();
        StringBuilder lines = new StringBuilder();
        for (Path f : quarantined) {
            lines.append(read(f));
        }
        assertThat(lines.toString().lines()).hasSize(2);
        assertThat(read(files(".raw.gz").getFirst())).startsWith("{bbb").hasSizeGreaterThanOrEqualTo(100_001);
    }

    @Test
    void a_damaged_gzip_object_gives_nothing_and_is_set_aside_once() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write((record("x", 1, "1") + "\n").getBytes(StandardCharsets.UTF_8));
        }
        byte[] cut = java.util.Arrays.copyOf(packed.toByteArray(), packed.size() - 3);
        Files.write(source.resolve("cut.gz"), cut);
        RunCounters first = run();
        assertThat(first.recordsQuarantined()).isEqualTo(Map.of("corrupt_compression", 1L));
        assertThat(landed()).isEmpty();
        assertThat(run().recordsQuarantined()).isEmpty();
        Files.write(source.resolve("cut.gz"), packed.toByteArray());
        assertThat(run().recordsCopied()).isEqualTo(1);
    }

    @Test
    void asked_to_stop_before_it_began_a_run_copies_nothing_and_the_next_does_all() throws Exception {
        put("a", record("x", 1, "1"));
        LocalEngine engine = engine();
        engine.stop();
        RunResult stopped = engine.run(pipeline(), options(), listener);
        assertThat(stopped.stopped()).isTrue();
        assertThat(files("")).isEmpty();
        assertThat(run().recordsCopied()).isEqualTo(1);
    }

    @Test
    void watching_takes_what_comes_lands_what_is_due_and_ends_when_told() throws Exception {
        landing = new PipelineConfig.LandingPolicy(0, Optional.empty(), 1 << 30);
        put("a", record("x", 1, "1"));
        LocalEngine engine = engine();
        CompletableFuture<RunResult> result = watch(engine);
        try {
            await(() -> engine.counters().landedObjects() == 1);
            put("b", record("x", 1, "2"));
            await(() -> engine.counters().landedObjects() == 2);
        } finally {
            engine.stop();
        }
        assertThat(result.get(30, java.util.concurrent.TimeUnit.SECONDS)
                        .counters()
                        .recordsCopied())
                .isEqualTo(2);
        assertThat(landed()).containsExactlyInAnyOrder(record("x", 1, "1"), record("x", 1, "2"));
        assertThat(sink.resolve(".stet-tmp")).doesNotExist();
    }

    @Test
    void a_watched_buffer_lands_when_it_is_old_enough_though_nothing_new_comes() throws Exception {
        landing = new PipelineConfig.LandingPolicy(10, Optional.empty(), 1 << 30);
        put("a", record("x", 1, "1"));
        LocalEngine engine = engine();
        CompletableFuture<RunResult> result = watch(engine);
        try {
            await(() -> engine.counters().recordsCopied() == 1);
            assertThat(engine.counters().landedObjects()).isZero();
            clock.advance(10_000);
            await(() -> engine.counters().landedObjects() == 1);
        } finally {
            engine.stop();
        }
        assertThat(result.get(30, java.util.concurrent.TimeUnit.SECONDS).stopped())
                .isTrue();
    }

    private CompletableFuture<RunResult> watch(LocalEngine engine) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return engine.watch(pipeline(), options(), listener);
            } catch (ConfigException | IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("waited for a minute").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void after_a_normal_end_the_sink_holds_nothing_hidden_and_staging_no_bundle() throws Exception {
        put("a", record("x", 1, "1"), "nonsense");
        run();
        try (Stream<Path> top = Files.list(sink)) {
            assertThat(top.map(p -> p.getFileName().toString())).containsExactlyInAnyOrder("e", "_quarantine");
        }
        try (Stream<Path> bundles = Files.list(state.resolve("staging/bundles"))) {
            assertThat(bundles).isEmpty();
        }
    }
}
