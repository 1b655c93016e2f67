package dev.stet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.registry.Action;
import dev.stet.registry.Contract;
import dev.stet.registry.Json;
import dev.stet.run.Ledgers;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands of the registry, against the registry of this machine. */
class EltCommandTest {
    /** Fields that have no flag of their own name, and where they come from. */
    private static final Map<String, Set<String>> ELSEWHERE = Map.of(
            "transform",
            Set.of(
                    "namespace-fields",
                    "namespace",
                    "batch-partition-fields",
                    "partition-name",
                    "partition-prefix",
                    "batch-time-fields",
                    "batch-time-unit",
                    "time-partition-prefix",
                    "time-partition-padding",
                    "on-missing",
                    "record-field-path"));

    /** Flags that are no fields: of the registry, of a place, of the command itself. */
    private static final Set<String> NO_FIELDS = Set.of(
            "state",
            "endpoint",
            "region",
            "token",
            "output",
            "debug",
            "help",
            "config",
            "pipeline",
            "format",
            "compression",
            "wait",
            "watch");

    @TempDir
    Path work;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Cli cli() {
        PrintStream o = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream e = new PrintStream(err, true, StandardCharsets.UTF_8);
        return new Cli(new Surroundings(
                o, e, work, name -> Optional.empty(), new Terminal(), dev.stet.run.LocalEngine::new, Ledgers.NONE));
    }

    private int elt(String... args) {
        out.reset();
        err.reset();
        String[] all = new String[args.length + 3];
        all[0] = "elt";
        all[1] = args[0];
        all[2] = "--state";
        all[3] = "state";
        System.arraycopy(args, 1, all, 4, args.length - 1);
        return cli().run(all);
    }

    private ObjectNode json(String... args) {
        String[] all = java.util.Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--output";
        all[args.length + 1] = "json";
        assertThat(elt(all)).as(err()).isZero();
        return Json.ours(out.toString(StandardCharsets.UTF_8)); // and nothing else
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT).replaceFirst("^-", "");
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void everyActionIsACommandWithTheContractsFieldsAsFlags(Action action) {
        CommandLine command =
                cli().commandLine().getSubcommands().get("elt").getSubcommands().get(kebab(action.name()));
        assertThat(command).as(kebab(action.name())).isNotNull();
        Set<String> flags = new TreeSet<>();
        command.getCommandSpec()
                .options()
                .forEach(o -> flags.add(o.longestName().substring(2)));
        Set<String> expected = new TreeSet<>();
        for (String field : Contract.load()
                .document()
                .at("/components/schemas/" + action + "Request/properties")
                .propertyNames()) {
            expected.addAll(ELSEWHERE.getOrDefault(field, Set.of(kebab(field))));
        }
        Set<String> fields = new TreeSet<>(flags);
        fields.removeAll(NO_FIELDS);
        assertThat(fields).isEqualTo(expected);
        assertThat(flags).contains("state", "endpoint", "region", "token", "output");
    }

    @Test
    void flagsMakeADefinitionWithDirectoriesAbsolute() {
        ObjectNode created = json(
                "create-pipeline",
                "--name",
                "p",
                "--source",
                "raw",
                "--sink",
                "lake",
                "--compression",
                "gzip",
                "--namespace-fields",
                "a,b",
                "--batch-partition-fields",
                "t",
                "--batch-partition-fields",
                "r,s",
                "--partition-name",
                "tenant",
                "--partition-name",
                "region",
                "--on-missing",
                "time=none",
                "--include",
                "x/**",
                "--max-object-bytes",
                "64MiB",
                "--buffer-threshold-seconds",
                "5");
        assertThat(created.get("source").asString())
                .isEqualTo(work.resolve("raw").toString());
        assertThat(created.at("/sink/File/outputDir").asString())
                .isEqualTo(work.resolve("lake").toString());
        assertThat(created.at("/sink/File/compression").asString()).isEqualTo("gzip");
        assertThat(created.at("/transform/batchPartitionFields").toString()).isEqualTo("[[\"t\"],[\"r\",\"s\"]]");
        assertThat(created.at("/transform/onMissing/time").asString()).isEqualTo("none");
        assertThat(created.get("include").asString()).isEqualTo("x/**");
        assertThat(json("describe-pipeline", "--name", "p")).isEqualTo(created);
        ObjectNode updated = json("update-pipeline", "--name", "p", "--source", "raw2", "--revision", "1");
        assertThat(updated.get("revision").asLong()).isEqualTo(2);
        assertThat(updated.get("notes")).hasSize(1);
    }

    @Test
    void aPipelineOfAFileBecomesOneOfTheRegistry() throws Exception {
        Files.writeString(work.resolve("stet.yml"), """
                pipelines:
                  gdpr_migration:
                    type: copy
                    data_source: data_sources.raw
                    data_sink: data_sinks.landing
                    transform:
                      namespace_fields: event_type
                      batch_partition_fields: detail.tenant_id,truck.tenant_id
                      partition_name: tenant_id
                      batch_time_fields: time,date
                      time_partition_prefix: p_
                data_sources:
                  raw: { S3: { s3_bucket: devices, s3_prefix: raw/ } }
                data_sinks:
                  landing: { S3: { s3_bucket: lake, s3_prefix: landing, format: jsonl } }
                """);
        ObjectNode created =
                json("create-pipeline", "--name", "gdpr", "--config", "stet.yml", "--pipeline", "gdpr_migration");
        assertThat(created.get("name").asString()).isEqualTo("gdpr");
        assertThat(created.get("source").asString()).isEqualTo("s3://devices/raw/");
        assertThat(created.get("sink").asString()).isEqualTo("s3://lake/landing");
        assertThat(created.at("/transform/namespaceFields").toString()).isEqualTo("[\"event_type\"]");
    }

    @Test
    void aCopyWithoutATransformIsWrongUsageThatNamesTheFields() {
        assertThat(elt("create-pipeline", "--name", "p", "--source", "raw", "--sink", "lake"))
                .isEqualTo(2);
        assertThat(err())
                .startsWith("stet: transform")
                .contains("namespaceFields", "batchPartitionFields", "batchTimeFields")
                .hasLineCount(1);
        assertThat(out.size()).isZero();
    }

    @Test
    void ordersBronzeFromStartToReport() {
        json(
                "create-pipeline",
                "--name",
                "orders-bronze",
                "--source",
                "postgres://orders",
                "--sink",
                "iceberg://lake/orders");
        String runId = json("start-run", "--pipeline-name", "orders-bronze")
                .get("runId")
                .asString();
        assertThat(json("describe-run", "--run-id", runId).get("status").asString())
                .isEqualTo("RUNNING");
        assertThat(elt("start-run", "--pipeline-name", "orders-bronze")).isEqualTo(1);
        assertThat(err()).contains(runId);
        assertThat(elt("delete-pipeline", "--name", "orders-bronze")).isEqualTo(1);
        json("report-run", "--run-id", runId, "--status", "FAILED", "--message", "no table");
        assertThat(elt("report-run", "--run-id", runId, "--status", "SUCCEEDED"))
                .isEqualTo(1);
        assertThat(elt("describe-run", "--run-id", runId, "--watch")).isEqualTo(1);
        assertThat(err()).contains("FAILED: no table");
        ObjectNode runs = json("list-runs", "--pipeline-name", "orders-bronze");
        assertThat(runs.get("runs")).hasSize(1);
        String second = json("start-run", "--pipeline-name", "orders-bronze")
                .get("runId")
                .asString();
        assertThat(json("stop-run", "--run-id", second).get("status").asString())
                .isEqualTo("STOPPED");
        json("delete-pipeline", "--name", "orders-bronze");
        assertThat(json("list-pipelines").get("pipelines")).isEmpty();
        assertThat(elt("describe-run", "--run-id", "none")).isEqualTo(1);
    }

    @Test
    void startAndWaitExitsAsTheRunEndsAndStatusShowsIt() throws Exception {
        Files.createDirectories(work.resolve("raw"));
        Files.writeString(work.resolve("raw/a.json"), "{\"event_type\":\"door\",\"n\":1}\n{\"n\":2}\n");
        json("create-pipeline", "--name", "p", "--source", "raw", "--sink", "lake", "--namespace-fields", "event_type");
        ObjectNode run = json("start-run", "--pipeline-name", "p", "--wait");
        assertThat(run.get("status").asString()).isEqualTo("SUCCEEDED");
        assertThat(run.get("recordsCopied").asLong()).isEqualTo(1);
        assertThat(run.at("/recordsQuarantined/missing_namespace").asLong()).isEqualTo(1);
        out.reset();
        assertThat(cli().run("status", "--state", "state", "--output", "json")).isZero();
        JsonNode status =
                Json.ours(out.toString(StandardCharsets.UTF_8)).get("pipelines").get(0);
        assertThat(status.at("/lastRun/status").asString()).isEqualTo("SUCCEEDED");
        assertThat(status.at("/notLanded/commits").asLong()).isZero();
        assertThat(status.at("/recordsQuarantined/missing_namespace").asLong()).isEqualTo(1);
        out.reset();
        assertThat(cli().run("status", "--state", "state")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("p (copy)", "SUCCEEDED", "1 missing_namespace");
    }

    @Test
    void aRunThatFailsSaysWhy() throws Exception {
        Files.writeString(work.resolve("file"), "no directory");
        json("create-pipeline", "--name", "p", "--source", "file", "--sink", "lake", "--namespace", "n");
        assertThat(elt("start-run", "--pipeline-name", "p", "--wait")).isEqualTo(1);
        assertThat(err()).contains("FAILED: ").contains("file");
    }

    @Test
    void aServerNeedsSomethingToCheckCallersBy() {
        assertThat(cli().run("serve", "--state", "state", "--jwt-issuer", "x")).isEqualTo(2);
        assertThat(err()).contains("--jwt-audience");
    }
}
