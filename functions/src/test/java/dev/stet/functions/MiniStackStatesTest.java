package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.MiniStack;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionResponse;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A second opinion: the definitions as another implementation of Step Functions understands them, on the happy path. It knows no ResultWriter; what it answers
 * instead is put where a ResultWriter would have ({@link NextRoundOnMiniStack}).
 */
final class MiniStackStatesTest {
    private static final Map<String, Class<?>> FUNCTIONS = new TreeMap<>(Map.of(
            "PlanFunction", PlanHandler.class,
            "CopyFunction", CopyHandler.class,
            "NextRoundFunction", NextRoundOnMiniStack.class,
            "FinishRunFunction", FinishRunHandler.class,
            "PlanCompactionFunction", PlanCompactionHandler.class,
            "CompactFunction", CompactHandler.class,
            "FinishCompactionFunction", FinishCompactionHandler.class));

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void aRunLandsTheGroundTruth() throws Exception {
        String suffix = "-" + ProcessHandle.current().pid();
        try (Cloud cloud = new Cloud(Servers.miniStack(), Clock.systemUTC());
                SfnClient states = states()) {
            // Of one day, hence one landing task: MiniStack starts a JVM for each that runs at once.
            Archive archive = Archive.plain(2, 120, 1_000).write(cloud::put);
            Map<String, String> names = new HashMap<>();
            for (Map.Entry<String, Class<?>> e : FUNCTIONS.entrySet()) {
                names.put(e.getKey(), e.getKey() + suffix);
                createFunction(e.getKey() + suffix, e.getValue(), cloud.environment());
            }
            names.put("CompactStateMachine", create(states, "compact" + suffix, "compact", names));
            String copy = create(states, "copy" + suffix, "copy", names);
            Run run = cloud.start();
            ObjectNode input = JsonMapper.shared().createObjectNode().put("runId", run.runId());
            String execution = states.startExecution(
                            r -> r.stateMachineArn(copy).name(run.runId()).input(input.toString()))
                    .executionArn();
            DescribeExecutionResponse end = states.describeExecution(r -> r.executionArn(execution));
            while (end.status() == ExecutionStatus.RUNNING) {
                TimeUnit.MILLISECONDS.sleep(200);
                end = states.describeExecution(r -> r.executionArn(execution));
            }
            assertThat(end.status()).as(end.error() + " " + end.cause()).isEqualTo(ExecutionStatus.SUCCEEDED);
            assertThat(cloud.registry().find(run.runId()).status()).isEqualTo(RunStatus.SUCCEEDED);
            assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
        }
    }

    private static SfnClient states() {
        return SfnClient.builder()
                .httpClient(Apache5HttpClient.create())
                .endpointOverride(MiniStack.shared().endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build();
    }

    private static String create(SfnClient states, String name, String definition, Map<String, String> names)
            throws IOException {
        String text = Cloud.definition(definition);
        for (Map.Entry<String, String> e : names.entrySet()) {
            text = text.replace("${" + e.getKey() + "}", e.getValue());
        }
        String filled = text;
        return states.createStateMachine(
                        r -> r.name(name).definition(filled).roleArn("arn:aws:iam::000000000000:role/states"))
                .stateMachineArn();
    }

    private static void createFunction(String name, Class<?> handler, Map<String, String> environment)
            throws IOException, InterruptedException {
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("FunctionName", name)
                .put("Runtime", "provided.al2023")
                .put("Handler", handler.getName())
                .put("Role", "arn:aws:iam::000000000000:role/functions")
                .put("Timeout", 900)
                .put("MemorySize", 512);
        request.putObject("Code").put("ZipFile", Base64.getEncoder().encodeToString(zip(handler)));
        ObjectNode variables = request.putObject("Environment").putObject("Variables");
        environment.forEach(variables::put);
        variables.put("AWS_ENDPOINT_URL_S3", MiniStack.shared().endpoint().toString());
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI at = MiniStack.shared().endpoint().resolve("/2015-03-31/functions");
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(at)
                            .header("Content-Type", "application/json")
                            .header(
                                    "Authorization",
                                    "AWS4-HMAC-SHA256 Credential=test/20260201/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0")
                            .POST(BodyPublishers.ofString(request.toString()))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        }
    }

    /** A bootstrap that runs this JVM's Java with its class path. */
    private static byte[] zip(Class<?> handler) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        StringBuilder classPath = new StringBuilder();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            classPath.append(Path.of(part).toAbsolutePath()).append(File.pathSeparator);
        }
        String bootstrap = "#!/bin/sh\nexec " + java
                + " -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '"
                + classPath
                + "' " + RuntimeLoop.class.getName() + " " + handler.getName() + "\n";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("bootstrap"));
            zip.write(bootstrap.getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        return bytes.toByteArray();
    }
}
