package dev.stet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.route.RoutingSettings;
import dev.stet.route.RoutingSettings.OnMissing;
import dev.stet.route.RoutingSettings.PartitionLevel;
import dev.stet.route.TimeUnit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
    private static final Path WORK = Path.of("/work-of-test");
    private static final ConfigContext CONTEXT = new ConfigContext(
            WORK,
            name -> Optional.ofNullable(
                    Map.of("BUCKET", "devices", "FIELDS", "a,b", "NOTHING", "").get(name)));

    /** The form of the documentation; line 15 is namespace_fields. */
    private static final String FULL = """
            stet:
              workspace: copy-demo
            pipelines:
              demo:
                type: copy
                buffer_threshold_seconds: 3600
                buffer_threshold_bytes: 64MiB
                max_object_bytes: 512k
                include: "*.gz"
                exclude: [tmp/**, "*.bak"]
                data_source: data_sources.raw
                data_sink: data_sinks.landing
                transform:
                  namespace_fields: event_type
                  batch_partition_fields: [[detail.tenant_id, tenant_id], [region]]
                  partition_name: [tenant_id, ""]
                  partition_prefix: ""
                  batch_time_fields: time,date
                  batch_time_unit: hour
                  time_partition_prefix: p_
                  time_partition_padding: none
                  record_field_path: data.records
                  overrides:
                    door.opened:
                      batch_time_fields: opened_at
                    truck.moved:
                      batch_partition_fields: truck.tenant_id
                      partition_name: tenant
                  on_missing:
                    namespace: quarantine
                    partition: __HIVE_DEFAULT_PARTITION__
            data_sources:
              raw:
                File:
                  path: ./raw
                  format: json
            data_sinks:
              landing:
                S3:
                  s3_bucket: lake
                  s3_prefix: landing
                  format: jsonl
                  compression: gzip
                  region: eu-west-1
                  endpoint_url: http://localhost:9000
            """;

    private static final String SMALL = """
            pipelines:
              demo:
                type: copy
                data_source: data_sources.raw
                data_sink: data_sinks.landing
                transform:
                  namespace_fields: event_type
                  batch_partition_fields: tenant_id
                  batch_time_fields: time
                  batch_time_unit: day
            data_sources:
              raw:
                File:
                  path: raw
            data_sinks:
              landing:
                File:
                  output_dir: lake
                  format: jsonl
            """;

    static LoadedPipeline load(String yaml) throws ConfigException {
        return ConfigFile.parse("stet.yml", yaml, CONTEXT).pipeline(Optional.empty());
    }

    private static RoutingSettings routing(String transform) throws ConfigException {
        String before = SMALL.substring(0, SMALL.indexOf("      namespace_fields"));
        String after = SMALL.substring(SMALL.indexOf("data_sources:"));
        return load(before + transform + after).config().routing();
    }

    @Test
    void everySettingIsRead() throws ConfigException {
        PipelineConfig config = load(FULL).config();
        assertThat(config)
                .isEqualTo(new PipelineConfig(
                        Optional.of("copy-demo"),
                        Optional.of("demo"),
                        new Location.Directory(WORK.resolve("raw")),
                        Format.JSON,
                        List.of("*.gz"),
                        List.of("tmp/**", "*.bak"),
                        Optional.of("data.records"),
                        new RoutingSettings(
                                List.of("event_type"),
                                "",
                                List.of(
                                        new PartitionLevel(
                                                List.of("detail.tenant_id", "tenant_id"), Optional.of("tenant_id")),
                                        new PartitionLevel(List.of("region"), Optional.empty())),
                                "",
                                List.of("time", "date"),
                                TimeUnit.HOUR,
                                "p_",
                                false,
                                Map.of(
                                        "door.opened",
                                        new RoutingSettings.Override(
                                                Optional.empty(), Optional.of(List.of("opened_at"))),
                                        "truck.moved",
                                        new RoutingSettings.Override(
                                                Optional.of(List.of(new PartitionLevel(
                                                        List.of("truck.tenant_id"), Optional.of("tenant")))),
                                                Optional.empty())),
                                new OnMissing(
                                        Optional.empty(), Optional.of("__HIVE_DEFAULT_PARTITION__"), Optional.empty())),
                        new Location.S3(
                                "lake",
                                "landing",
                                Optional.of("eu-west-1"),
                                Optional.of("http://localhost:9000"),
                                false),
                        SinkCompression.GZIP,
                        new LandingPolicy(3600, Optional.of(64L << 20), 512L << 10)));
    }

    @Test
    void defaults() throws ConfigException {
        LoadedPipeline loaded = load(SMALL.replaceFirst("(?s)    transform:\n.*?data_sources:", "data_sources:"));
        assertThat(loaded.notes()).isEmpty();
        assertThat(loaded.config().workspace()).contains("default");
        assertThat(loaded.config().landing()).isEqualTo(LandingPolicy.DEFAULT);
        assertThat(loaded.config().compression()).isEqualTo(SinkCompression.NONE);
        assertThat(loaded.config().routing())
                .isEqualTo(new RoutingSettings(
                        List.of(),
                        "raw",
                        List.of(),
                        "p_",
                        List.of(),
                        TimeUnit.DAY,
                        "",
                        true,
                        Map.of(),
                        OnMissing.QUARANTINE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "routed"})
    void theWalkthroughFilesRunUnchanged(String form) throws Exception {
        Path folder = Path.of("src/test/resources/cases/walkthrough").resolve(form);
        LoadedPipeline files = ConfigFile.read(folder.resolve("skippr.yml"), "skippr.yml", CONTEXT)
                .pipeline(Optional.of("gdpr_migration"));
        LoadedPipeline s3 = ConfigFile.read(folder.resolve("skippr-s3.yml"), "skippr-s3.yml", CONTEXT)
                .pipeline(Optional.of("gdpr_migration"));

        assertThat(files.notes())
                .containsExactly("skippr.yml: without meaning in a copy, ignored: skipprd_el_storage_mode");
        assertThat(files.config().workspace()).contains("copy-demo");
        assertThat(files.config().source()).isEqualTo(new Location.Directory(WORK.resolve("raw")));
        assertThat(files.config().sink()).isEqualTo(new Location.Directory(WORK.resolve("landing")));
        assertThat(s3.config().source())
                .isEqualTo(new Location.S3("devices", "raw", Optional.empty(), Optional.empty(), false));
        assertThat(s3.config().sink())
                .isEqualTo(new Location.S3("lake", "landing", Optional.empty(), Optional.empty(), false));
        assertThat(s3.config().routing()).isEqualTo(files.config().routing());

        RoutingSettings routing = files.config().routing();
        assertThat(routing.timeFields()).containsExactly("time", "system_datetime", "date");
        assertThat(routing.timePrefix()).isEqualTo("p_");
        if (form.equals("plain")) {
            assertThat(routing.namespaceFields()).isEmpty();
            assertThat(routing.fixedNamespace()).isEqualTo("archive");
            assertThat(routing.levels())
                    .containsExactly(
                            new PartitionLevel(List.of("detail.tenant_id", "truck.tenant_id"), Optional.empty()));
        } else {
            assertThat(routing.namespaceFields()).containsExactly("event_type");
            assertThat(routing.levels())
                    .containsExactly(new PartitionLevel(
                            List.of("detail.tenant_id", "tenant_id", "tid", "truck.tenant_id", "device.tenant_id"),
                            Optional.of("tenant_id")));
        }
    }

    @Nested
    class Fields {
        @ParameterizedTest
        @MethodSource("dev.stet.config.ConfigFileTest#levels")
        void levels(String value, List<List<String>> expected) throws ConfigException {
            assertThat(routing("      batch_partition_fields: " + value + "\n").levels())
                    .extracting(PartitionLevel::fields)
                    .isEqualTo(expected);
        }

        @Test
        void aListElementIsOneFieldAsItIs() throws ConfigException {
            assertThat(routing("      namespace_fields: [\"a,b\", \" c \"]\n").namespaceFields())
                    .containsExactly("a,b", " c ");
        }

        @Test
        void namesOfAllLevelsApplyToOverridesThatHaveNone() throws ConfigException {
            RoutingSettings routing = routing("""
                          batch_partition_fields: a
                          partition_name: n
                          overrides:
                            x: { batch_partition_fields: b }
                            y: { batch_partition_fields: c, partition_name: "" }
                            z: { partition_name: other }
                    """);
            assertThat(routing.overrides().get("x").levels())
                    .contains(List.of(new PartitionLevel(List.of("b"), Optional.of("n"))));
            assertThat(routing.overrides().get("y").levels())
                    .contains(List.of(new PartitionLevel(List.of("c"), Optional.empty())));
            assertThat(routing.overrides().get("z").levels())
                    .contains(List.of(new PartitionLevel(List.of("a"), Optional.of("other"))));
        }

        @Test
        void anEmptyNamespaceMeansNone() throws ConfigException {
            assertThat(routing("      namespace: \"\"\n").fixedNamespace()).isEmpty();
            assertThat(routing("      namespace: devices\n").fixedNamespace()).isEqualTo("devices");
        }
    }

    static Stream<Arguments> levels() {
        return Stream.of(
                Arguments.of("a", List.of(List.of("a"))),
                Arguments.of("a, b.c", List.of(List.of("a", "b.c"))),
                Arguments.of("[a, b]", List.of(List.of("a", "b"))),
                Arguments.of("[[a, b], [c]]", List.of(List.of("a", "b"), List.of("c"))),
                Arguments.of("[[a], \"b,c\"]", List.of(List.of("a"), List.of("b", "c"))),
                Arguments.of("", List.of()),
                Arguments.of("\"\"", List.of()),
                Arguments.of("[]", List.of()),
                Arguments.of("'@system'", List.of(List.of("@system"))),
                Arguments.of("${FIELDS}", List.of(List.of("a", "b"))));
    }

    @Nested
    class TheEnvironment {
        @Test
        void isPutIntoValues() throws ConfigException {
            String yaml = SMALL.replace("path: raw", "path: /x/${BUCKET}/${NOTHING}y/${BUCKET}");
            assertThat(load(yaml).config().source()).isEqualTo(new Location.Directory(Path.of("/x/devices/y/devices")));
        }

        @Test
        void twoDollarsStandForOne() throws ConfigException {
            assertThat(routing("      namespace: a$${BUCKET}$b\n").fixedNamespace())
                    .isEqualTo("a${BUCKET}$b");
        }

        @Test
        void isNotAskedForOtherPipelines() throws ConfigException {
            String yaml = SMALL + """
                      other:
                        Postgres: { connection_string: "${UNSET}" }
                    """;
            assertThat(load(yaml).sinkName()).isEqualTo("landing");
        }
    }

    @Nested
    class OtherKeys {
        @Test
        void pipelinesOfOtherTypesAreNoneOfOurs() throws ConfigException {
            String yaml = SMALL.replace("  demo:\n", "  ingest:\n    type: ingest\n    what_ever: [1]\n  demo:\n");
            assertThat(load(yaml).config().name()).contains("demo");
        }

        @Test
        void whatHasNoMeaningHereIsOneNote() throws ConfigException {
            String yaml = SMALL.replace("    type: copy\n", """
                                type: copy
                                sync_frequency_seconds: 5
                                stats: { enabled: true }
                                schema_sink: schema_sinks.glue
                                data_dir: ${UNSET}
                            """)
                    .replace("transform:\n", "transform:\n      flatten_events: false\n      inject_fields: {}\n");
            assertThat(load(yaml).notes())
                    .containsExactly("stet.yml: without meaning in a copy, ignored: sync_frequency_seconds, stats,"
                            + " schema_sink, data_dir, flatten_events, inject_fields");
        }

        @Test
        void anchorsMayStandUnderNamesOfTheUsers() throws ConfigException {
            String yaml = "x-common: &t tenant_id\n" + SMALL.replace("fields: tenant_id", "fields: *t");
            assertThat(load(yaml).config().routing().levels().get(0).fields()).containsExactly("tenant_id");
        }
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("mistakes")
    void mistakesAreNamedWithTheirLine(String from, String to, String pattern) {
        assertThat(SMALL).contains(from);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(SMALL.replace(from, to)))
                .satisfies(e -> assertThat(e.getMessage()).matches(pattern).doesNotContain("\n"));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(
                        "batch_time_fields",
                        "batch_tme_fields",
                        "stet.yml:9: unknown key batch_tme_fields in transform; the nearest valid key is batch_time_fields"),
                Arguments.of("path: raw", "pth: raw", "stet.yml:14: unknown key pth in .*raw.File; .* is path"),
                Arguments.of("output_dir", "output", "stet.yml:18: unknown key output in .*; .* is output_dir"),
                Arguments.of("    data_sink:", "    dta_sink:", "stet.yml:5: unknown key dta_sink .* data_sink"),
                Arguments.of(
                        "    type: copy\n",
                        "    type: copy\n    batch_time_unit: day\n",
                        "stet.yml:4: unknown key batch_time_unit in pipelines.demo; it belongs to transform"),
                Arguments.of("pipelines:", "pipelins:", "stet.yml:1: unknown key pipelins in the file; .* pipelines"),
                Arguments.of(
                        "unit: day",
                        "unit: fortnight",
                        "stet.yml:10: batch_time_unit: \"fortnight\" is not one of year, month, day, hour, minute"),
                Arguments.of("type: copy", "type: ingest", "stet.yml:3: type: \"ingest\": .* copy only"),
                Arguments.of("    type: copy\n", "    type:\n", "stet.yml:3: type: missing: .*demo has no type"),
                Arguments.of(
                        "      batch_time_unit",
                        "      flatten_events: true\n      batch_time_unit",
                        "stet.yml:10: flatten_events: refused: it would rewrite the records; .* byte for byte"),
                Arguments.of(
                        "      batch_time_unit",
                        "      inject_fields: { a: b }\n      batch_time_unit",
                        "stet.yml:10: inject_fields: refused: .*"),
                Arguments.of(
                        "      batch_time_unit",
                        "      batch_order_fields: a\n      batch_time_unit",
                        "stet.yml:10: batch_order_fields: refused: .*"),
                Arguments.of(
                        "      batch_time_unit: day\n",
                        "      batch_time_unit: day\n      batch_time_unit: day\n",
                        "stet.yml:11: the key batch_time_unit stands twice; first in line 10"),
                Arguments.of("path: raw", "path: ${MISSING}/x", "stet.yml:14: path: .* MISSING is not set"),
                Arguments.of("path: raw", "path: ${a-b}", "stet.yml:14: path: \"\\$\\{a-b}\" holds \\$\\{ .*"),
                Arguments.of("path: raw", "path: [a]", "stet.yml:14: path: one value is expected.*"),
                Arguments.of("path: raw", "path:", "stet.yml:14: path: missing: the directory to copy from"),
                Arguments.of("path: raw", "format: json", "stet.yml:14: path: missing: .*"),
                Arguments.of("path: raw", "path: raw\n      format: csv", "stet.yml:15: format: \"csv\" comes later.*"),
                Arguments.of("format: jsonl", "format: parquet", "stet.yml:19: format: \"parquet\" is not possible.*"),
                Arguments.of("format: jsonl", "compression: zip", "stet.yml:19: compression: \"zip\" .* none, gzip"),
                Arguments.of("fields: time", "fields: a,,b", "stet.yml:9: .* \"a,,b\" has an empty field.*"),
                Arguments.of("fields: tenant_id", "fields: [[a],[]]", "stet.yml:8: .* level without fields"),
                Arguments.of("fields: tenant_id", "fields: {a: b}", "stet.yml:8: .* one value is expected.*"),
                Arguments.of(
                        "fields: tenant_id",
                        "fields: [[a],[b]]\n      partition_name: x",
                        "stet.yml:9: partition_name: 1 name\\(s\\) for 2 partition level\\(s\\).*"),
                Arguments.of(
                        "batch_partition_fields: tenant_id",
                        "partition_name: x",
                        "stet.yml:8: partition_name: .* batch_partition_fields, which is not set"),
                Arguments.of(
                        "batch_partition_fields: tenant_id",
                        "namespace: x",
                        "stet.yml:8: namespace: .* exclude each other.*on_missing"),
                Arguments.of(
                        "batch_partition_fields: tenant_id",
                        "on_missing: { tme: x }",
                        "stet.yml:8: unknown key tme in on_missing; .* time"),
                Arguments.of(
                        "batch_partition_fields: tenant_id",
                        "on_missing: { time: a/b }",
                        "stet.yml:8: time: \"a/b\" is neither quarantine nor .*"),
                Arguments.of(
                        "batch_partition_fields: tenant_id",
                        "overrides: { x: { batch_time_unit: day } }",
                        "stet.yml:8: unknown key batch_time_unit in overrides.x; .*"),
                Arguments.of(
                        "batch_partition_fields: tenant_id",
                        "partition_prefix: a/",
                        "stet.yml:8: partition_prefix: \"a/\" may hold only .*"),
                Arguments.of(
                        "batch_partition_fields: tenant_id",
                        "time_partition_padding: two",
                        "stet.yml:8: time_partition_padding: \"two\" is not one of zero, none"),
                Arguments.of(
                        "type: copy",
                        "type: copy\n    max_object_bytes: 1 gig",
                        "stet.yml:4: max_object_bytes: \"1 gig\" is not a size.*64MiB.*"),
                Arguments.of(
                        "type: copy",
                        "type: copy\n    buffer_threshold_seconds: -1",
                        "stet.yml:4: buffer_threshold_seconds: \"-1\" is not a whole number of seconds"),
                Arguments.of("data_sources.raw", "data_sources.row", "stet.yml:4: data_source: .*row.* which has raw"),
                Arguments.of("    data_sink: data_sinks.landing\n", "", "stet.yml:3: data_sink: missing.*"),
                Arguments.of("    File:\n      path: raw", "    Kafka: {}", "stet.yml:13: Kafka: .* \"Kafka\""),
                Arguments.of(
                        "    File:\n      path: raw", "    {}", "stet.yml:13: data_sources.raw: one of S3 and File.*"),
                Arguments.of("    File:\n      path: raw", "    File:", "stet.yml:13: File: nothing stands under it"),
                Arguments.of(
                        "    File:\n      path: raw",
                        "    S3: { s3_bucket: a/b }",
                        "stet.yml:13: s3_bucket: \"a/b\" is not the name of a bucket"),
                Arguments.of(
                        "    File:\n      path: raw",
                        "    S3: { s3_bucket: a, requester_pays: maybe }",
                        "stet.yml:13: requester_pays: \"maybe\" is not one of true, false"),
                Arguments.of(
                        "    File:\n      path: raw",
                        "    S3: { s3_bucket: a, endpoint_url: 127.0.0.1 }",
                        "stet.yml:13: endpoint_url: \"127.0.0.1\" is not a URL such as https://HOST:PORT"),
                Arguments.of("pipelines:\n", "stet: {}\nskippr: {}\npipelines:\n", "stet.yml:2: skippr: .* keep one.*"),
                Arguments.of("pipelines:\n", "stet: { wrkspace: x }\npipelines:\n", "stet.yml:1: .* workspace"),
                Arguments.of("  demo:\n", "\tdemo:\n", "stet.yml:2: not valid YAML: .*"),
                Arguments.of("pipelines:\n", "[a]: b\npipelines:\n", "stet.yml:1: .*"));
    }

    @Test
    void aPipelineMustBeThere() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigFile.parse("stet.yml", SMALL, CONTEXT).pipeline(Optional.of("dmo")))
                .withMessage("stet.yml: no pipeline \"dmo\"; there are demo");
    }

    @Test
    void amongSeveralCopiesOneIsChosenByName() throws ConfigException {
        String yaml = SMALL.replace("  demo:\n", "  a: { type: copy }\n  demo:\n");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(yaml))
                .withMessageContaining("--pipeline: a, demo");
        assertThat(ConfigFile.parse("stet.yml", yaml, CONTEXT)
                        .pipeline(Optional.of("demo"))
                        .config()
                        .name())
                .contains("demo");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n", "- a\n", "a"})
    void aFileWithoutSettings(String yaml) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(yaml))
                .withMessageStartingWith("stet.yml: no settings in it");
    }

    @Test
    void aSecondDocumentIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load(SMALL + "---\na: b\n"))
                .withMessageMatching("stet.yml:2\\d: a second YAML document.*");
    }

    @Test
    void filesThatCannotBeRead(@TempDir Path folder) throws Exception {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigFile.read(folder.resolve("x.yml"), "x.yml", CONTEXT))
                .withMessage("no such configuration file: x.yml");
        Path binary = Files.write(folder.resolve("b.yml"), new byte[] {(byte) 0xff, 'a'});
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigFile.read(binary, "b.yml", CONTEXT))
                .withMessage("b.yml: not UTF-8");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigFile.read(folder, "dir", CONTEXT))
                .withMessage("cannot read the configuration file dir");
    }

    @Nested
    class Saving {
        @Test
        void whatWasSavedIsReadBackAndSavedTheSame() throws ConfigException {
            for (String yaml : List.of(FULL, SMALL)) {
                LoadedPipeline loaded = load(yaml);
                String saved = ConfigWriter.toYaml(loaded);
                LoadedPipeline again = load(saved);
                assertThat(again.config()).isEqualTo(loaded.config());
                assertThat(ConfigWriter.toYaml(again)).isEqualTo(saved);
            }
        }

        @Test
        void oddTextsSurvive() throws ConfigException {
            String odd = "a ${X} $${Y} \"q\" \\ #c: {d}, \u00e9 \uD83D\uDE00 \t";
            PipelineConfig config = new PipelineConfig(
                    Optional.of(odd),
                    Optional.of("p: q"),
                    new Location.S3("b", odd, Optional.empty(), Optional.empty(), true),
                    Format.JSON,
                    List.of(odd, "null"),
                    List.of(),
                    Optional.of(odd),
                    new RoutingSettings(
                            List.of(),
                            odd,
                            List.of(
                                    new PartitionLevel(List.of("a,b", " c "), Optional.empty()),
                                    new PartitionLevel(List.of("null"), Optional.of("yes"))),
                            "p_",
                            List.of("123", "~"),
                            TimeUnit.MINUTE,
                            "",
                            true,
                            Map.of(
                                    odd,
                                    new RoutingSettings.Override(Optional.of(List.of()), Optional.empty()),
                                    "n",
                                    new RoutingSettings.Override(Optional.empty(), Optional.of(List.of())),
                                    "e",
                                    new RoutingSettings.Override(Optional.empty(), Optional.empty())),
                            new OnMissing(Optional.of("no"), Optional.empty(), Optional.of("1"))),
                    new Location.Directory(Path.of("/tmp/a b")),
                    SinkCompression.GZIP,
                    new LandingPolicy(0, Optional.of(5L), 7));
            String saved = ConfigWriter.toYaml(config, "unused", "s", "t");
            assertThat(load(saved).config()).isEqualTo(config);
            assertThat(ConfigWriter.toYaml(load(saved))).isEqualTo(saved);
        }
    }
}
