package dev.stet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.config.PipelineConfig;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.config.SinkCompression;
import dev.stet.route.RoutingSettings.OnMissing;
import dev.stet.route.RoutingSettings.PartitionLevel;
import dev.stet.route.TimeUnit;
import dev.stet.run.LedgerPlace;
import dev.stet.run.Ledgers;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CliTest {
    @TempDir
    Path work;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private FakeEngine engine = new FakeEngine(listener -> FakeEngine.result(FakeEngine.COUNTERS));

    private static final class FakeTerminal extends Terminal {
        private final boolean terminal;

        FakeTerminal(boolean terminal) {
            this.terminal = terminal;
        }

        @Override
        boolean isStandardError() {
            return terminal;
        }

        @Override
        int columns(java.util.function.Function<String, Optional<String>> environment) {
            return 40;
        }
    }

    private int stet(String... args) {
        return stet(false, args);
    }

    private int stet(boolean terminal, String... args) {
        PrintStream o = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream e = new PrintStream(err, true, StandardCharsets.UTF_8);
        return new Cli(new Surroundings(
                        o, e, work, name -> Optional.empty(), new FakeTerminal(terminal), () -> engine, Ledgers.NONE))
                .run(args);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private FakeEngine.Request request() {
        assertThat(engine.requests).as(err()).hasSize(1);
        return engine.requests.get(0);
    }

    @Nested
    class Copy {
        @Test
        void withoutFlags() {
            assertThat(stet("copy", "in/raw", "out")).isZero();
            PipelineConfig pipeline = request().pipeline();
            assertThat(pipeline.name()).isEmpty();
            assertThat(pipeline.workspace()).isEmpty();
            assertThat(pipeline.source()).isEqualTo(new Location.Directory(work.resolve("in/raw")));
            assertThat(pipeline.sink()).isEqualTo(new Location.Directory(work.resolve("out")));
            assertThat(pipeline.routing().fixedNamespace()).isEqualTo("raw");
            assertThat(pipeline.routing().levels()).isEmpty();
            assertThat(pipeline.routing().timeFields()).isEmpty();
            assertThat(pipeline.routing().partitionPrefix()).isEqualTo("p_");
            assertThat(pipeline.landing()).isEqualTo(LandingPolicy.DEFAULT);
            assertThat(request().options())
                    .isEqualTo(new RunOptions(
                            LedgerPlace.EMBEDDED,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Runtime.getRuntime().availableProcessors(),
                            Optional.empty(),
                            true,
                            false,
                            false));
        }

        @Test
        void withAllFlags() {
            String flags = """
                    --namespace-fields @stream,kind --batch-partition-fields detail.tenant,tenant
                    --batch-partition-fields region --partition-name tenant --partition-name region
                    --partition-prefix q_ --batch-time-fields ts,date --batch-time-unit hour
                    --time-partition-prefix p_ --time-partition-padding none --on-missing partition=none
                    --on-missing time=quarantine --format json --record-field-path a.b --compression gzip
                    --include *.gz --include x/** --exclude *.tmp --state st --staging sta --staging-max 1GB
                    --threads 3 --memory 64m --max-object-bytes 1k --buffer-threshold-seconds 7
                    --buffer-threshold-bytes 8 --no-flush --shared-sink --accept-routing-change --output text --debug
                    """;
            String[] args = ("copy s3://devices/raw/ s3://lake " + flags.strip()).split("\\s+");
            assertThat(stet(args)).as(err()).isZero();
            PipelineConfig pipeline = request().pipeline();
            assertThat(pipeline.source())
                    .isEqualTo(new Location.S3("devices", "raw/", Optional.empty(), Optional.empty(), false));
            assertThat(pipeline.routing().namespaceFields()).containsExactly("@stream", "kind");
            assertThat(pipeline.routing().levels())
                    .containsExactly(
                            new PartitionLevel(List.of("detail.tenant", "tenant"), Optional.of("tenant")),
                            new PartitionLevel(List.of("region"), Optional.of("region")));
            assertThat(pipeline.routing().partitionPrefix()).isEqualTo("q_");
            assertThat(pipeline.routing().timeFields()).containsExactly("ts", "date");
            assertThat(pipeline.routing().timeUnit()).isEqualTo(TimeUnit.HOUR);
            assertThat(pipeline.routing().timePrefix()).isEqualTo("p_");
            assertThat(pipeline.routing().padded()).isFalse();
            assertThat(pipeline.routing().onMissing())
                    .isEqualTo(new OnMissing(Optional.empty(), Optional.of("none"), Optional.empty()));
            assertThat(pipeline.recordFieldPath()).contains("a.b");
            assertThat(pipeline.compression()).isEqualTo(SinkCompression.GZIP);
            assertThat(pipeline.include()).containsExactly("*.gz", "x/**");
            assertThat(pipeline.exclude()).containsExactly("*.tmp");
            assertThat(pipeline.landing()).isEqualTo(new LandingPolicy(7, Optional.of(8L), 1024));
            assertThat(request().options())
                    .isEqualTo(new RunOptions(
                            LedgerPlace.EMBEDDED,
                            Optional.of(work.resolve("st")),
                            Optional.of(work.resolve("sta").toString()),
                            Optional.of(1_000_000_000L),
                            3,
                            Optional.of(64L << 20),
                            false,
                            true,
                            true));
        }

        @Test
        void s3IsReachedAsTheFlagsSayAndOnlyTheSourceIsPaidFor() {
            String flags = "--region eu-west-1 --endpoint-url http://127.0.0.1:9000 --requester-pays";
            assertThat(stet(("copy s3://devices/raw/ s3://lake/l " + flags).split(" ")))
                    .as(err())
                    .isZero();
            Optional<String> region = Optional.of("eu-west-1");
            Optional<String> url = Optional.of("http://127.0.0.1:9000");
            assertThat(request().pipeline().source()).isEqualTo(new Location.S3("devices", "raw/", region, url, true));
            assertThat(request().pipeline().sink()).isEqualTo(new Location.S3("lake", "l", region, url, false));
        }

        @Test
        void anEmptyNamespaceIsNone() {
            assertThat(stet("copy", "a", "b", "--namespace", "")).isZero();
            assertThat(request().pipeline().routing().fixedNamespace()).isEmpty();
        }
    }

    @Nested
    class Sync {
        private static final String YAML = """
                stet:
                  workspace: w
                pipelines:
                  demo:
                    type: copy
                    sync_frequency_seconds: 5
                    max_object_bytes: 2k
                    data_source: data_sources.raw
                    data_sink: data_sinks.landing
                data_sources:
                  raw: { File: { path: ./raw } }
                data_sinks:
                  landing: { File: { output_dir: ./lake } }
                """;

        @Test
        void runsTheOnlyPipelineOfStetYmlBeforeSkipprYml() throws IOException {
            Files.writeString(work.resolve("skippr.yml"), "not: used\n");
            Files.writeString(work.resolve("stet.yml"), YAML);
            assertThat(stet("sync", "--once", "--state", "s")).as(err()).isZero();
            assertThat(request().watch()).isFalse();
            assertThat(request().pipeline().name()).contains("demo");
            assertThat(request().pipeline().source()).isEqualTo(new Location.Directory(work.resolve("raw")));
            assertThat(request().pipeline().landing().maxObjectBytes()).isEqualTo(2048);
            assertThat(out())
                    .startsWith("note: stet.yml: without meaning in a copy, ignored: sync_frequency_seconds\n");
        }

        @Test
        void fallsBackToSkipprYml() throws IOException {
            Files.writeString(work.resolve("skippr.yml"), YAML);
            assertThat(stet("sync", "--pipeline", "demo")).as(err()).isZero();
            assertThat(request().watch()).isTrue();
        }

        @Test
        void flagsWinOverTheFile() throws IOException {
            Files.writeString(work.resolve("x.yml"), YAML);
            assertThat(stet("sync", "--config", "x.yml", "--max-object-bytes", "9"))
                    .isZero();
            assertThat(request().pipeline().landing().maxObjectBytes()).isEqualTo(9);
        }

        @Test
        void flagsOfS3WinOverTheFileAndWhatTheyDoNotSayStays() throws IOException {
            Files.writeString(
                    work.resolve("stet.yml"),
                    YAML.replace(
                            "{ File: { path: ./raw } }",
                            "{ S3: { s3_bucket: b, region: r, endpoint_url: 'http://h' } }"));
            assertThat(stet("sync", "--requester-pays", "--region", "other"))
                    .as(err())
                    .isZero();
            assertThat(request().pipeline().source())
                    .isEqualTo(new Location.S3("b", "", Optional.of("other"), Optional.of("http://h"), true));
            assertThat(request().pipeline().sink()).isEqualTo(new Location.Directory(work.resolve("lake")));
        }

        @Test
        void withoutAFile() {
            assertThat(stet("sync", "--once")).isEqualTo(2);
            assertThat(err()).isEqualTo("stet: no ./stet.yml and no ./skippr.yml here; name a file with --config\n");
        }

        @Test
        void errorsOfTheFileNameItsLine() throws IOException {
            Files.writeString(work.resolve("x.yml"), YAML.replace("path:", "pth:"));
            assertThat(stet("sync", "--config", "x.yml")).isEqualTo(2);
            assertThat(err()).matches("stet: x.yml:11: unknown key pth in .*; the nearest valid key is path\n");
        }
    }

    @ParameterizedTest(name = "[{index}] {0}")
    @MethodSource("misuses")
    void usageErrorsAreOneLineAndOneForTheHelp(String args, String pattern) {
        assertThat(stet(args.isEmpty() ? new String[0] : args.split(" "))).isEqualTo(2);
        assertThat(out()).isEmpty();
        assertThat(err().lines().toList())
                .hasSizeBetween(1, 2)
                .first()
                .asString()
                .matches("stet: " + pattern);
        assertThat(err()).doesNotContain("xception").doesNotContain("dev.stet").doesNotContain("picocli");
        assertThat(engine.requests).isEmpty();
    }

    static Stream<Arguments> misuses() {
        return Stream.of(
                Arguments.of("", "name a command: .*"),
                Arguments.of("cpy a b", "unknown command cpy; the nearest is copy"),
                Arguments.of("copy", "Missing required parameters: 'SOURCE', 'SINK'"),
                Arguments.of("copy a b c", "unexpected argument c"),
                Arguments.of("copy a b --namespce-fields=x", "unknown option --namespce-fields; .* --namespace-fields"),
                Arguments.of("copy a b --state", ".*'--state'.*"),
                Arguments.of("copy a b --format json --format json", ".*--format.*"),
                Arguments.of("copy a b --batch-time-unit fortnight", "--batch-time-unit: \"fortnight\" .*day.*"),
                Arguments.of("copy a b --format csv", "--format: \"csv\" comes later.*"),
                Arguments.of("copy a b --format avro", "--format: \"avro\" is not one of json, csv, xml"),
                Arguments.of("copy a b --compression zip", "--compression: \"zip\" is not one of none, gzip"),
                Arguments.of("copy a b --memory lots", "--memory: \"lots\" is not a size; .*"),
                Arguments.of("copy a b --threads 0", "--threads: \"0\" is not a number of threads.*"),
                Arguments.of("copy a b --output xml", "--output: \"xml\" is not one of progress, text, json"),
                Arguments.of("copy a b --on-missing x", "--on-missing: \"x\" is not DIM=FOLDER.*"),
                Arguments.of("copy a b --on-missing tme=x", "--on-missing: \"tme\" is not one of namespace.*"),
                Arguments.of("copy a b --partition-name x", "--partition-name: .*"),
                Arguments.of("copy a b --namespace x --namespace-fields y", "--namespace: .* exclude each other.*"),
                Arguments.of("copy gs://a b", "SOURCE: \"gs://a\" is neither a directory nor s3.*"),
                Arguments.of("copy a s3://", "SINK: \"\" is not the name of a bucket"),
                Arguments.of(
                        "copy a s3://b/c --requester-pays", "--requester-pays: .* the source is a directory: .*/a"),
                Arguments.of("copy s3://a/b c --endpoint-url here", "--endpoint-url: \"here\" is not a URL .*"),
                Arguments.of("sync --config none.yml", "no such configuration file: none.yml"),
                Arguments.of("completion fish", "completion: \"fish\" is not one of bash, zsh"));
    }

    @ParameterizedTest(name = "[{index}] {1}")
    @MethodSource("faults")
    void faultsAreOneLine(Throwable fault, String message, int code) {
        engine = new FakeEngine(listener -> {
            throw CliTest.<RuntimeException>sneaky(fault);
        });
        for (String output : List.of("text", "json", "progress")) {
            err.reset();
            assertThat(stet("copy", "a", "b", "--output", output)).isEqualTo(code);
            assertThat(err().replaceAll("\r[^\n]*\r", "")).isEqualTo("stet: " + message + "\n");
        }
    }

    static Stream<Arguments> faults() {
        String debug = "run again with --debug to see where";
        return Stream.of(
                Arguments.of(new ConfigException("the sink is the source: x"), "the sink is the source: x", 2),
                Arguments.of(new IOException("no space left on device: /x\ny"), "no space left on device: /x\\ny", 1),
                Arguments.of(new IOException(), "input or output failed; " + debug, 1),
                Arguments.of(new NoSuchFileException("/x"), "no such file or directory: /x", 1),
                Arguments.of(new UncheckedIOException(new AccessDeniedException("/x")), "permission denied: /x", 1),
                Arguments.of(
                        new FileSystemException("/x", null, "No space left on device"),
                        "/x: No space left on device",
                        1),
                Arguments.of(new IllegalStateException("odd"), "internal error: odd; " + debug, 1),
                Arguments.of(new NullPointerException(), "internal error; " + debug, 1),
                Arguments.of(
                        new IllegalStateException(new OutOfMemoryError("Java heap space")),
                        "out of memory: give the process a larger heap, or use a smaller --memory or fewer --threads,"
                                + " for instance STET_JAVA_OPTS=-Xmx2g",
                        1),
                Arguments.of(
                        new OutOfMemoryError(),
                        "out of memory: give the process a larger heap, or use a smaller --memory or fewer --threads,"
                                + " for instance STET_JAVA_OPTS=-Xmx2g",
                        1));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable fault) throws T {
        throw (T) fault;
    }

    @Test
    void debugShowsTheStackTrace() {
        engine = new FakeEngine(listener -> {
            throw new IOException("broken");
        });
        assertThat(stet("copy", "a", "b", "--debug")).isEqualTo(1);
        assertThat(err())
                .startsWith("stet: broken\njava.io.IOException: broken\n")
                .contains("\tat dev.stet.cli.");
    }

    @Nested
    class Output {
        @Test
        void jsonIsEventsAndLastTheSummary() {
            String odd = "a\"\\\n\u00e9\uD83D\uDE00\uD800\t";
            engine = new FakeEngine(listener -> {
                listener.phase("copying");
                listener.note(odd);
                listener.unreadable("k/1", "access_denied", "no");
                listener.replaced("k/2");
                return FakeEngine.result(
                        FakeEngine.counters(2, 1, 5, Map.of("missing_partition", 3L, "invalid_json", 1L), 4));
            });
            assertThat(stet(true, "copy", "a", "b", "--output", "json")).isEqualTo(3);
            assertThat(err()).isEmpty();
            JsonMapper mapper = new JsonMapper();
            List<JsonNode> lines = out().lines().map(mapper::readTree).toList();
            assertThat(lines)
                    .extracting(l -> l.get("event").asString())
                    .containsExactly("phase", "note", "unreadable", "replaced", "summary");
            assertThat(lines.get(0).get("phase").asString()).isEqualTo("copying");
            assertThat(lines.get(1).get("message").asString()).isEqualTo(odd);
            assertThat(lines.get(2).get("source").asString()).isEqualTo("k/1");
            assertThat(lines.get(2).get("reason").asString()).isEqualTo("access_denied");
            assertThat(lines.get(2).get("message").asString()).isEqualTo("no");
            assertThat(lines.get(3).get("source").asString()).isEqualTo("k/2");
            assertThat(lines.get(4)).isEqualTo(mapper.readTree("""
                            {"event":"summary","objects_copied":2,"objects_skipped":0,"objects_unreadable":1,
                             "records_copied":5,"records_quarantined":{"invalid_json":1,"missing_partition":3},
                             "landed_objects":4,"bytes_copied":10,"bytes_read":10,
                             "digest":"5:10:00000000000000000000000000000000","elapsed_ms":1234,"stopped":false}"""));
        }

        @Test
        void textTellsWhatWasCopiedAndWhere() {
            assertThat(stet("copy", "a", "b", "--output", "text")).isZero();
            assertThat(err()).isEmpty();
            assertThat(out()).isEqualTo("""
                            copied      4,487 records (1.2 MB) of 3 objects
                            skipped     4 objects, copied before or empty
                            landed      20 objects in %s
                            digest      4487:1234567:00000000000000010000000000000002
                            took        1.2 s
                            """.formatted(work.resolve("b")));
        }

        @Test
        void nothingNew() {
            engine = new FakeEngine(listener -> FakeEngine.result(FakeEngine.counters(0, 0, 0, Map.of(), 0)));
            assertThat(stet("copy", "a", "b")).isZero();
            assertThat(out()).startsWith("nothing new in " + work.resolve("a") + "\n");
        }

        @Test
        void aRunThatWasStoppedBeforeItsFirstCommitDoesNotSayThatNothingIsNew() {
            engine = new FakeEngine(listener -> new RunResult(FakeEngine.counters(0, 0, 0, Map.of(), 0), 10, true));
            stet("copy", "a", "b");
            assertThat(out())
                    .startsWith("stopped     before anything was committed")
                    .doesNotContain("nothing new");
        }

        @ParameterizedTest
        @CsvSource({
            "missing_namespace, --namespace-fields",
            "bad_partition, --batch-partition-fields",
            "missing_time, --batch-time-fields",
            "invalid_json, --format",
            "not_an_object, --record-field-path"
        })
        void whenMostIsQuarantinedTheSettingIsNamed(String reason, String flag) {
            engine = new FakeEngine(
                    listener -> FakeEngine.result(FakeEngine.counters(1, 0, 3, Map.of(reason, 4L, "bad_time", 1L), 2)));
            assertThat(stet("copy", "a", "b")).isZero();
            assertThat(out())
                    .contains("quarantined 5 items\n")
                    .contains(" 4 " + reason + ": " + work + "/b/_quarantine/reason=" + reason + "/\n")
                    .contains(" 1 bad_time: ")
                    .containsPattern("look at .*" + flag);
        }

        @Test
        void aFewQuarantinedNeedNoAdvice() {
            engine = new FakeEngine(
                    listener -> FakeEngine.result(FakeEngine.counters(1, 0, 30, Map.of("bad_time", 1L), 2)));
            assertThat(stet("copy", "a", "b")).isZero();
            assertThat(out()).contains("quarantined 1 item\n").doesNotContain("look at");
        }

        @Test
        void withoutFlushItIsKept() {
            assertThat(stet("copy", "a", "b", "--no-flush")).isZero();
            assertThat(out()).contains("a later run lands it");
        }

        @Test
        void objectsThatWereNotReadAreNamed() {
            engine = new FakeEngine(listener -> {
                listener.unreadable("k\n1", "deleted", "gone");
                return FakeEngine.result(FakeEngine.counters(0, 1, 0, Map.of(), 0));
            });
            assertThat(stet("copy", "a", "b")).isEqualTo(3);
            assertThat(err()).isEqualTo("stet: not read (deleted): k\\n1: gone\n");
            assertThat(out()).contains("not read    1 object, named above");
        }

        @Test
        void progressIsDrawnOnATerminalAndErasedAtTheEnd() {
            engine = new FakeEngine(listener -> {
                listener.phase("copying");
                pause();
                listener.note("hello");
                pause();
                return FakeEngine.result(FakeEngine.COUNTERS);
            });
            assertThat(stet(true, "copy", "a", "b")).isZero();
            assertThat(err())
                    .contains("\rcopying: 3 objects, 4,487 records, 20")
                    .doesNotContain("\n");
            assertThat(err().split("\r")).allSatisfy(line -> assertThat(line).hasSizeLessThan(40));
            assertThat(err()).matches("(?s).*\r +\r");
            assertThat(out()).startsWith("note: hello\ncopied");
        }

        private void pause() {
            try {
                Thread.sleep(700);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void helpAndVersionGoToStandardOutput() {
        for (String args : List.of("--help", "copy --help", "sync -h", "completion --help", "--version")) {
            out.reset();
            assertThat(stet(args.split(" "))).as(args).isZero();
            assertThat(out()).isNotBlank();
        }
        assertThat(err()).isEmpty();
        out.reset();
        assertThat(stet("copy", "--help")).isZero();
        assertThat(out()).contains("Examples:", "Exit codes:", "--batch-partition-fields");
        assertThat(out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(110));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void completionPrintsAScript(String shell) {
        assertThat(stet("completion", shell)).isZero();
        assertThat(out()).contains("--batch-time-unit").contains("complete -F");
    }
}
