package dev.stet.infra;

import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.Aspects;
import software.amazon.awscdk.Environment;
import software.amazon.awscdk.Stack;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The stacks that all tests look at, synthesized once, with the security rules, as {@code cdk synth} does it. Offline, without an account. */
final class Synthesis {
    /** With two buckets and nothing else; for any account and region. */
    static final String PLAIN = "Stet";
    /** With tokens, an own domain, keys, a cap, an alarm topic, several buckets; for one account and region, as the CLI makes it with credentials. */
    static final String FULL = "Everything";
    /** To be removed without trace; in a region, for any account, as the CLI makes it without credentials. */
    static final String BRIEF = "Brief";
    /** Deployed over an existing table and bucket. */
    static final String AGAIN = "Again";
    /** Of a user: pipelines. */
    static final String PIPELINES = "Pipelines";

    /** The ARN of a key. @param whose source, sink, sink-eu or staging */
    static String key(String whose) {
        return "arn:aws:kms:eu-central-1:111122223333:key/0b6cf2d1-6a59-4a7c-8f4f-" + whose;
    }

    private final Path assembly;

    private Synthesis(Path assembly) {
        this.assembly = assembly;
    }

    static Template template(String stack) {
        return new Template(Holder.ONE.json(stack + ".template.json"));
    }

    /** The file that {@code cdk deploy} sends. */
    static Path file(String stack) {
        return Holder.ONE.assembly.resolve(stack + ".template.json");
    }

    /** Errors and warnings that the CLI prints for a stack. */
    static List<String> complaints(String stack) {
        List<String> found = new ArrayList<>();
        Path metadata = Holder.ONE.assembly.resolve(stack + ".metadata.json");
        JsonNode json = Files.exists(metadata)
                ? Holder.ONE.json(stack + ".metadata.json")
                : Holder.ONE.json("manifest.json").path("artifacts").path(stack).path("metadata");
        for (Map.Entry<String, JsonNode> at : json.properties()) {
            for (JsonNode entry : at.getValue().values()) {
                String type = entry.path("type").stringValue("");
                if (type.equals("aws:cdk:error") || type.equals("aws:cdk:warning")) {
                    found.add(at.getKey() + ": " + entry.path("data").stringValue(""));
                }
            }
        }
        return found;
    }

    private JsonNode json(String file) {
        return JsonMapper.shared().readTree(assembly.resolve(file));
    }

    private static final class Holder {
        private static final Synthesis ONE = new Synthesis(synthesize());

        private static Path synthesize() {
            try {
                Path work = Files.createTempDirectory("stet-synthesis");
                String jar = Files.writeString(work.resolve("functions.jar"), "any jar is an asset")
                        .toString();
                Path out = work.resolve("cdk.out");
                App app = new App(AppProps.builder()
                        .outdir(out.toString())
                        .context(context())
                        .build());
                String definitions = Path.of("..", "statemachine").toString();
                Environment any = Environment.builder().build();
                Environment region = Environment.builder().region("us-east-1").build();
                Environment account = Environment.builder()
                        .region("eu-central-1")
                        .account("111122223333")
                        .build();
                var _ = StetApp.stack(app, any, Settings.of(plain()), jar, definitions);
                var _ = StetApp.stack(app, account, Settings.of(full()), jar, definitions);
                var _ = StetApp.stack(app, region, Settings.of(brief()), jar, definitions);
                var _ = StetApp.stack(app, any, Settings.of(again()), jar, definitions);
                pipelines(new Stack(app, PIPELINES));
                Aspects.of(app).add(new AwsSolutionsChecks());
                var _ = app.synth();
                return out;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** What the CLI adds: the context of cdk.json. */
        private static Map<String, Object> context() {
            ObjectNode json = (ObjectNode)
                    JsonMapper.shared().readTree(Path.of("cdk.json")).path("context");
            return JsonMapper.shared()
                    .convertValue(
                            json,
                            JsonMapper.shared()
                                    .getTypeFactory()
                                    .constructMapType(Map.class, String.class, Object.class));
        }

        private static Map<String, Object> plain() {
            return Map.of("sourceBucket", "devices", "sinkBucket", "lake");
        }

        private static Map<String, Object> full() {
            return Map.ofEntries(
                    Map.entry("stackName", FULL),
                    Map.entry("sourceBucket", List.of("devices", "gates")),
                    Map.entry("sinkBucket", "lake,lake-eu"),
                    Map.entry("inventoryBucket", "inventories"),
                    Map.entry("sourceKmsKeyArns", key("source")),
                    Map.entry("sinkKmsKeyArns", key("sink") + "," + key("sink-eu")),
                    Map.entry("stagingKmsKeyArn", key("staging")),
                    Map.entry("jwtIssuer", "https://login.example.com/"),
                    Map.entry("jwtAudience", "elt"),
                    Map.entry("domain", "example.com"),
                    Map.entry(
                            "certificateArn",
                            "arn:aws:acm:eu-central-1:111122223333:certificate/8f0d3c1e-5f0a-4d6d-9c57-0d9f4dd7a111"),
                    Map.entry("alarmTopicArn", "arn:aws:sns:eu-central-1:111122223333:pager"),
                    Map.entry("copyConcurrency", "500"),
                    Map.entry("landConcurrency", 60));
        }

        private static Map<String, Object> brief() {
            return Map.of("stackName", BRIEF, "sourceBucket", "devices", "sinkBucket", "lake", "retain", false);
        }

        /** Over what an earlier stack left. */
        private static Map<String, Object> again() {
            return Map.of(
                    "stackName",
                    AGAIN,
                    "sourceBucket",
                    "devices",
                    "sinkBucket",
                    "lake",
                    "tableName",
                    "ledger-restored",
                    "stagingBucket",
                    "staging-of-before");
        }

        private static void pipelines(Stack stack) {
            var _ = EltPipeline.Builder.create(stack, "gdpr")
                    .source("s3://devices/raw/")
                    .sink("s3://lake/landing/")
                    .transform(Map.of("namespaceFields", "event_type", "batchTimeUnit", "day"))
                    .build();
            var _ = EltPipeline.Builder.create(stack, "Other")
                    .name("gates")
                    .source("s3://gates/")
                    .sink("s3://lake/gates/")
                    .serviceToken("arn:aws:lambda:eu-central-1:111122223333:function:elt:live")
                    .build();
            var _ = EltPipeline.Builder.create(stack, "Second")
                    .stack("Everything")
                    .source("s3://gates/")
                    .sink("s3://lake/second/")
                    .build();
        }
    }
}
