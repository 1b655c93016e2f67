package dev.stet.aws.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.PipelineConfig;
import dev.stet.config.SinkCompression;
import dev.stet.route.RoutingSettings;
import dev.stet.route.TimeUnit;
import dev.stet.run.LedgerPlace;
import dev.stet.run.LocalEngine;
import dev.stet.run.RunCounters;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Whole runs with S3 on either side: what lands is what lands between directories. */
abstract class S3RunContract {
    private static final Path EXAMPLE = Path.of("..", "examples", "raw");
    private static final RoutingSettings ROUTING = new RoutingSettings(
            List.of("event_type"),
            "",
            List.of(new RoutingSettings.PartitionLevel(
                    List.of("detail.tenant_id", "tenant_id", "tid", "truck.tenant_id", "device.tenant_id"),
                    Optional.of("tenant_id"))),
            "p_",
            List.of("time", "system_datetime", "date"),
            TimeUnit.DAY,
            "p_",
            true,
            Map.of(),
            RoutingSettings.OnMissing.QUARANTINE);

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

    private RunCounters run(Location source, Location sink, String state) throws ConfigException, IOException {
        PipelineConfig pipeline = new PipelineConfig(
                Optional.empty(),
                Optional.empty(),
                source,
                Format.JSON,
                List.of(),
                List.of(),
                Optional.empty(),
                ROUTING,
                sink,
                SinkCompression.NONE,
                PipelineConfig.LandingPolicy.DEFAULT);
        RunOptions options = new RunOptions(
                LedgerPlace.EMBEDDED,
                Optional.of(folder.resolve(state)),
                Optional.empty(),
                Optional.empty(),
                2,
                Optional.of(64L << 20),
                true,
                false,
                false);
        try (S3Stores stores = server().stores(StoreOptions.DEFAULT)) {
            return new LocalEngine(stores)
                    .run(pipeline, options, new NoListener())
                    .counters();
        }
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

    private Map<String, byte[]> objects(String bucket, String prefix) {
        Map<String, byte[]> found = new TreeMap<>();
        for (S3Object o : server().owner()
                .listObjectsV2Paginator(r -> r.bucket(bucket).prefix(prefix))
                .contents()) {
            found.put(
                    o.key().substring(prefix.length()),
                    server().owner()
                            .getObjectAsBytes(r -> r.bucket(bucket).key(o.key()))
                            .asByteArray());
        }
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
        Map<String, byte[]> landed = objects(lake, "landing/");
        assertThat(byFolder(landed)).isEqualTo(byFolder(files(sink)));
        assertThat(objects(lake, "_stet/").keySet()).noneMatch(k -> k.contains("/bundles/"));
        assertThat(server().owner().listMultipartUploads(r -> r.bucket(lake)).uploads())
                .isEmpty();

        RunCounters again = run(source, s3, "s3");
        assertThat(again.objectsCopied()).isZero();
        assertThat(objects(lake, "landing/").keySet()).isEqualTo(landed.keySet());
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
        assertThat(byFolder(objects(lake, "landing/"))).isEqualTo(byFolder(files(sink)));
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
        assertThat(byFolder(objects(lake, "landing/")).values().stream()
                        .mapToInt(List::size)
                        .sum())
                .isEqualTo(4);
    }

    @Test
    void a_whole_bucket_as_sink_needs_staging_elsewhere() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> run(server().location(devices, "raw/"), server().location(lake, ""), "s"))
                .withMessageContaining("--staging");
    }

    private static final class NoListener implements RunListener {
        @Override
        public void phase(String name) {}

        @Override
        public void unreadable(String source, String reason, String message) {
            throw new AssertionError(source + ": " + message);
        }

        @Override
        public void replaced(String source) {}

        @Override
        public void note(String text) {}
    }
}
