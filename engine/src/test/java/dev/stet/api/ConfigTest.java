package dev.stet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stet.config.ConfigContext;
import dev.stet.config.ConfigException;
import dev.stet.config.ConfigFile;
import dev.stet.config.ConfigSection;
import dev.stet.config.Format;
import dev.stet.config.LoadedPipeline;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigTest {
    private static final int CASES = 600;

    @TempDir
    private Path work;

    private static Config s3() {
        return new Config()
                .workspace("copy-demo")
                .pipeline(new Pipeline("gdpr_migration")
                        .type(PipelineType.COPY)
                        .bufferThresholdSeconds(3600)
                        .dataSource(new DataSourceS3("raw")
                                .s3Bucket("devices")
                                .s3Prefix("raw/")
                                .requesterPays(true))
                        .dataSink(new DataSinkS3("landing").s3Bucket("lake").s3Prefix("landing"))
                        .transform(new Transform()
                                .namespaceFields("event_type")
                                .batchPartitionLevels(List.of(List.of("detail.tenant_id", "tenant_id"), List.of("a,b")))
                                .partitionName(List.of("tenant_id", ""))
                                .batchTimeFields("time, date")
                                .batchTimeUnit(BatchTimeUnit.HOUR)
                                .timePartitionPrefix("p_")
                                .override("door.opened", new TransformOverride().batchTimeFields("opened_at"))
                                .onMissing(new OnMissing().time("none"))));
    }

    @Test
    void whatIsSavedIsTheFileThatOneWouldWrite() throws ConfigException {
        assertThat(s3().toYaml()).isEqualTo("""
                stet:
                  workspace: copy-demo
                pipelines:
                  gdpr_migration:
                    type: copy
                    buffer_threshold_seconds: 3600
                    data_source: data_sources.raw
                    data_sink: data_sinks.landing
                    transform:
                      namespace_fields: event_type
                      batch_partition_fields: [["detail.tenant_id", "tenant_id"], ["a,b"]]
                      partition_name: ["tenant_id", ""]
                      batch_time_fields: time,date
                      batch_time_unit: hour
                      time_partition_prefix: p_
                      overrides:
                        door.opened:
                          batch_time_fields: opened_at
                      on_missing:
                        time: none
                data_sources:
                  raw:
                    S3:
                      s3_bucket: devices
                      s3_prefix: raw/
                      requester_pays: true
                data_sinks:
                  landing:
                    S3:
                      s3_bucket: lake
                      s3_prefix: landing
                      format: jsonl
                """);
    }

    @Test
    void builtSavedAndLoadedIsTheSameAndSavedAgainTheSameBytes() throws Exception {
        String file = work.resolve("skippr.yml").toString();
        String again = work.resolve("again.yml").toString();
        for (long seed = 0; seed < CASES; seed++) {
            Config built = new RandomConfig(seed).next();
            built.save(file);
            Config loaded = Config.load(file);
            ConfigFile parsed = ConfigFile.read(Path.of(file), file, ConfigContext.ofProcess());
            for (Pipeline p : built.pipelines()) {
                LoadedPipeline meant = built.resolve(p.name());
                assertThat(parsed.pipeline(Optional.of(p.name())))
                        .as("seed %d", seed)
                        .isEqualTo(meant);
                assertThat(loaded.resolve(p.name())).as("seed %d", seed).isEqualTo(meant);
            }
            loaded.save(again);
            assertThat(Files.mismatch(Path.of(file), Path.of(again)))
                    .as("seed %d", seed)
                    .isEqualTo(-1);
        }
    }

    /** Where each section of a file is built. */
    private static final Map<ConfigSection, Class<?>> BUILDERS = Map.of(
            ConfigSection.FILE, Config.class,
            ConfigSection.SETTINGS, Config.class,
            ConfigSection.PIPELINE, Pipeline.class,
            ConfigSection.TRANSFORM, Transform.class,
            ConfigSection.OVERRIDE, TransformOverride.class,
            ConfigSection.ON_MISSING, OnMissing.class,
            ConfigSection.S3_SOURCE, DataSourceS3.class,
            ConfigSection.FILE_SOURCE, DataSourceFile.class,
            ConfigSection.S3_SINK, DataSinkS3.class,
            ConfigSection.FILE_SINK, DataSinkFile.class);

    @Test
    void everyKeyOfAFileHasItsMethod() {
        Map<String, String> otherwise = Map.of("pipelines", "pipeline", "overrides", "override");
        Set<String> byPart = Set.of("stet", "skippr", "data_sources", "data_sinks");
        for (ConfigSection section : ConfigSection.values()) {
            Set<String> methods = Arrays.stream(BUILDERS.get(section).getMethods())
                    .filter(m -> m.getParameterCount() > 0)
                    .map(Method::getName)
                    .collect(Collectors.toSet());
            assertThat(methods)
                    .as(section.title())
                    .containsAll(section.used().stream()
                            .filter(key -> !byPart.contains(key))
                            .map(key -> otherwise.getOrDefault(key, camelCase(key)))
                            .toList());
        }
    }

    private static String camelCase(String key) {
        String[] words = key.split("_");
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(w -> Character.toUpperCase(w.charAt(0)) + w.substring(1))
                        .collect(Collectors.joining());
    }

    private static Pipeline small() {
        return new Pipeline("demo")
                .dataSource(new DataSourceFile("raw").path("raw"))
                .dataSink(new DataSinkFile("lake").outputDir("lake"));
    }

    private static final String SMALL = """
            pipelines:
              demo:
                type: copy
                data_source: data_sources.raw
                data_sink: data_sinks.lake
                %s
            data_sources: { raw: %s }
            data_sinks: { lake: %s }
            """;

    private static final String SOURCE = "{ File: { path: raw } }";
    private static final String SINK = "{ File: { output_dir: lake } }";

    static Stream<Arguments> mistakes() {
        return Stream.of(
                transform("{ partition_prefix: a/ }", t -> t.partitionPrefix("a/")),
                transform("{ batch_time_fields: 'a,,b' }", t -> t.batchTimeFields("a,,b")),
                transform(
                        "{ namespace: x, namespace_fields: y }",
                        t -> t.namespace("x").namespaceFields("y")),
                transform("{ partition_name: x }", t -> t.partitionName("x")),
                transform(
                        "{ batch_partition_fields: [[a], [b]], partition_name: [x] }",
                        t -> t.batchPartitionLevels(List.of(List.of("a"), List.of("b")))
                                .partitionName(List.of("x"))),
                transform("{ on_missing: { time: a/b } }", t -> t.onMissing(new OnMissing().time("a/b"))),
                Arguments.of(
                        SMALL.formatted("buffer_threshold_seconds: -1", SOURCE, SINK),
                        small().bufferThresholdSeconds(-1)),
                Arguments.of(SMALL.formatted("max_object_bytes: 0", SOURCE, SINK), small().maxObjectBytes(0)),
                Arguments.of(
                        SMALL.formatted("", "{ File: { path: '' } }", SINK),
                        small().dataSource(new DataSourceFile("raw").path(""))),
                Arguments.of(
                        SMALL.formatted("", "{ File: { path: raw, format: csv } }", SINK),
                        small().dataSource(new DataSourceFile("raw").path("raw").format(Format.CSV))),
                Arguments.of(
                        SMALL.formatted("", "{ S3: { s3_prefix: x } }", SINK),
                        small().dataSource(new DataSourceS3("raw").s3Prefix("x"))),
                Arguments.of(
                        SMALL.formatted("", "{ S3: { s3_bucket: 'a/b' } }", SINK),
                        small().dataSource(new DataSourceS3("raw").s3Bucket("a/b"))),
                Arguments.of(
                        SMALL.formatted("", SOURCE, "{ S3: { s3_bucket: b, endpoint_url: here } }"),
                        small().dataSink(new DataSinkS3("lake").s3Bucket("b").endpointUrl("here"))),
                Arguments.of(
                        SMALL.formatted("", SOURCE, "{ File: { output_dir: lake, format: parquet } }"),
                        small().dataSink(new DataSinkFile("lake")
                                .outputDir("lake")
                                .format("parquet"))));
    }

    private static Arguments transform(String yaml, UnaryOperator<Transform> built) {
        return Arguments.of(
                SMALL.formatted("transform: " + yaml, SOURCE, SINK), small().transform(built.apply(new Transform())));
    }

    @ParameterizedTest(name = "[{index}]")
    @MethodSource("mistakes")
    void aMistakeIsToldInTheWordsOfTheFileAndNothingIsWritten(String yaml, Pipeline pipeline) {
        ConfigException inFile = catchThrowableOfType(
                ConfigException.class,
                () -> ConfigFile.parse("f", yaml, ConfigContext.ofProcess()).pipeline(Optional.empty()));
        Path file = work.resolve("x.yml");
        ConfigException inJava = catchThrowableOfType(
                ConfigException.class, () -> new Config().pipeline(pipeline).save(file.toString()));
        assertThat(inFile).isNotNull();
        assertThat(inJava).hasMessage(inFile.getMessage().replaceFirst("^f:\\d+: ", "pipeline demo: "));
        assertThat(file).doesNotExist();
    }

    @Test
    void whatIsLeftOutIsNamed() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new Config().toYaml())
                .withMessage("no pipeline to save");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new Config().pipeline(new Pipeline("demo")).toYaml())
                .withMessage("pipeline demo: data_source: missing: name one as data_sources.NAME");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new Config().pipeline(small()).resolve("dmo"))
                .withMessage("no pipeline \"dmo\"; there are demo");
    }

    @Test
    void pipelinesMayShareASourceButNotTwoSourcesOneName() throws ConfigException {
        DataSource raw = new DataSourceFile("raw").path("raw");
        Config config = new Config()
                .pipeline(small().dataSource(raw))
                .pipeline(new Pipeline("other").dataSource(raw).dataSink(new DataSinkS3("s3").s3Bucket("b")));
        assertThat(config.toYaml()).containsOnlyOnce("  raw:\n").contains("  other:\n", "  demo:\n");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> config.pipeline(small().dataSource(new DataSourceFile("raw").path("elsewhere")))
                        .toYaml())
                .withMessage("data_sources.raw: two pipelines mean different things by it; name one otherwise");
    }

    @Test
    void aPipelineThatWasLoadedCanBeChangedAndTheRestStays() throws Exception {
        String file = work.resolve("stet.yml").toString();
        s3().save(file);
        Config loaded = Config.load(file);
        Pipeline smaller = loaded.pipelines().iterator().next().maxObjectBytes(1 << 20);
        loaded.pipeline(smaller).save(file);
        assertThat(Files.readString(Path.of(file)).replace("    max_object_bytes: 1048576\n", ""))
                .isEqualTo(s3().toYaml());
    }

    @Test
    void whatAFileHoldsBesidesIsNamedWhenItIsLoaded() throws Exception {
        Path file = work.resolve("skippr.yml");
        Files.writeString(
                file,
                SMALL.formatted("sync_frequency_seconds: 5", SOURCE, SINK)
                        .replace("pipelines:\n", "pipelines:\n  cdc: { type: ingest, whatever: 1 }\n"));
        Config config = Config.load(file.toString());
        assertThat(config.pipelines()).extracting(Pipeline::name).containsExactly("demo");
        assertThat(config.notes())
                .containsExactly(
                        file + ": without meaning in a copy, ignored: sync_frequency_seconds",
                        file + ": the pipeline cdc is not of type copy, left out");
    }
}
