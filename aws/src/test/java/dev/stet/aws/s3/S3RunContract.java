package dev.stet.aws.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.config.Location;
import dev.stet.run.RunCounters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs with S3 on either side: what lands is what lands between directories. */
abstract class S3RunContract {
    private static final Path EXAMPLE = Path.of("..", "examples", "raw");

    @TempDir
    private Path folder;

    private String devices;
    private String lake;

    protected abstract S3Server server();

    @BeforeEach
    void makeBuckets() {
        devices = server().newBucket();
        lake = server().newBucket();
    }

    private void upload() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLE)) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                server().put(devices, "raw/" + EXAMPLE.relativize(f), Files.readAllBytes(f));
            }
        }
    }

    private RunCounters run(Location source, Location sink, String state) {
        Run run = Run.copy(source, sink, folder.resolve(state), () -> server().stores(StoreOptions.DEFAULT));
        RunCounters counters = run.counters();
        assertThat(run.messages()).isEmpty();
        return counters;
    }

    /** Landed lines by folder, in the order of their text; of the quarantine, how many. */
    private static Map<String, List<String>> byFolder(Map<String, byte[]> objects) {
        Map<String, List<String>> found = new TreeMap<>();
        objects.forEach((key, bytes) -> {
            List<String> lines = found.computeIfAbsent(key.substring(0, key.lastIndexOf('/')), k -> new ArrayList<>());
            new String(bytes, StandardCharsets.ISO_8859_1)
                    .lines()
                    .map(l -> key.startsWith("_") ? "item" : l)
                    .forEach(lines::add);
            lines.sort(null);
        });
        return found;
    }

    private static Map<String, byte[]> files(Path root) throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                found.put(root.relativize(f).toString(), Files.readAllBytes(f));
            }
        }
        return found;
    }

    @Test
    void from_s3_to_s3_lands_what_lands_between_directories_and_nothing_twice() throws Exception {
        upload();
        Path sink = folder.resolve("sink");
        RunCounters there = run(
                new Location.Directory(EXAMPLE.toAbsolutePath().normalize()), new Location.Directory(sink), "files");
        Location source = server().location(devices, "raw/");
        Location s3 = server().location(lake, "landing/");
        RunCounters here = run(source, s3, "s3");
        assertThat(here.digest()).isEqualTo(there.digest());
        assertThat(here.recordsQuarantined()).isEqualTo(there.recordsQuarantined());
        Map<String, byte[]> landed = server().objects(lake, "landing/");
        assertThat(byFolder(landed)).isEqualTo(byFolder(files(sink)));
        assertThat(server().objects(lake, "_stet/").keySet()).noneMatch(k -> k.contains("/bundles/"));
        assertThat(server().openUploads(lake)).isEmpty();

        RunCounters again = run(source, s3, "s3");
        assertThat(again.objectsCopied()).isZero();
        assertThat(server().objects(lake, "landing/").keySet()).isEqualTo(landed.keySet());
    }

    @Test
    void from_s3_to_a_directory_and_back_nothing_changes() throws Exception {
        upload();
        Path sink = folder.resolve("sink");
        RunCounters down = run(server().location(devices, "raw/"), new Location.Directory(sink), "down");
        assertThat(down.objectsCopied()).isEqualTo(15);
        RunCounters up = run(
                new Location.Directory(EXAMPLE.toAbsolutePath().normalize()), server().location(lake, "landing"), "up");
        assertThat(up.digest()).isEqualTo(down.digest());
        assertThat(byFolder(server().objects(lake, "landing/"))).isEqualTo(byFolder(files(sink)));
    }

    @Test
    void a_replaced_object_is_copied_as_a_new_version_and_a_new_one_alone() throws Exception {
        byte[] first =
                "{\"event_type\":\"e\",\"tenant_id\":\"a\",\"time\":\"2021-10-05\"}".getBytes(StandardCharsets.UTF_8);
        byte[] second =
                "{\"event_type\":\"e\",\"tenant_id\":\"b\",\"time\":\"2021-10-05\"}".getBytes(StandardCharsets.UTF_8);
        Location source = server().location(devices, "raw/");
        Location sink = server().location(lake, "landing/");
        server().put(devices, "raw/x", first);
        server().put(devices, "raw/y", first);
        assertThat(run(source, sink, "s").objectsCopied()).isEqualTo(2);
        server().put(devices, "raw/x", second);
        server().put(devices, "raw/a", second);
        assertThat(run(source, sink, "s").objectsCopied()).isEqualTo(2);
        assertThat(byFolder(server().objects(lake, "landing/")).values().stream()
                        .mapToInt(List::size)
                        .sum())
                .isEqualTo(4);
    }

    @Test
    void a_prefix_without_a_slash_takes_what_lies_beside_the_folder_and_says_so() {
        Lines lines = new Lines();
        server().put(devices, "raw/a", lines.object("raw/a", 3));
        server().put(devices, "raw2/b", lines.object("raw2/b", 3));
        server().put(devices, "other/c", lines.untold("other/c", 3));
        Run run = Run.copy(
                server().location(devices, "raw"),
                server().location(lake, "landing"),
                folder.resolve("s"),
                () -> server().stores(StoreOptions.DEFAULT));
        assertThat(run.counters().objectsCopied()).isEqualTo(2);
        assertThat(run.notes())
                .anySatisfy(note -> assertThat(note)
                        .contains("s3://" + devices + "/raw2/")
                        .contains("for the folder alone write s3://" + devices + "/raw/"));
        assertThat(Lines.of(server().objects(lake, "landing/"))).isEqualTo(lines.truth());
    }

    @Test
    void a_whole_bucket_as_sink_needs_staging_elsewhere() {
        Run run = Run.copy(
                server().location(devices, "raw/"),
                server().location(lake, ""),
                folder.resolve("s"),
                () -> server().stores(StoreOptions.DEFAULT));
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.error()).contains("--staging");
    }
}
