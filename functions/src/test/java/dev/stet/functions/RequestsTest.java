package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.stet.asl.Execution;
import dev.stet.asl.Failure;
import dev.stet.asl.Functions;
import dev.stet.asl.StateMachines;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.plan.Inventory;
import dev.stet.registry.Action;
import dev.stet.registry.Caller;
import dev.stet.registry.Contract;
import dev.stet.registry.Json;
import dev.stet.registry.RegistryService;
import dev.stet.registry.Run;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.sfn.SfnClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What each function asks of AWS, from a whole run, events, schedules and the registry. The list is kept beside the tests, since the stack's tests hold it against the
 * synthesized policies.
 */
final class RequestsTest {
    private static final Path LIST = Path.of("src", "test", "resources", "requests.tsv");
    private static final Caller CALLER = new Caller("somebody", Optional.empty());

    @Test
    void theListOfRequestsIsCurrent() throws Exception {
        RequestLog.begin();
        HttpServer states = states();
        try (Cloud cloud = Cloud.withOwnStaging(Servers.s3Proxy(), Clock.systemUTC());
                Cloud events = Cloud.withOwnStaging(Servers.s3Proxy(), Clock.systemUTC());
                SfnClient sfn = client(states)) {
            copy(cloud);
            copyInBadWeather(cloud);
            String inventories = cloud.server().newBucket();
            copyByInventory(cloud, inventories);
            keepCurrent(cloud, sfn);
            administer(cloud, sfn);
            beginWithEvents(events);
            Map<String, String> names = new HashMap<>(names(cloud));
            names.putAll(names(events));
            names.put(inventories, "inventory");
            String found = list(names);
            Path written =
                    Files.writeString(Files.createDirectories(Path.of("target")).resolve("requests.tsv"), found);
            assertThat(found)
                    .as("another list, see " + written + "; if that is meant, copy it to " + LIST)
                    .isEqualTo(Files.readString(LIST));
        } finally {
            RequestLog.during((function, request) -> {});
            states.stop(0);
        }
    }

    private static void copy(Cloud cloud) throws Exception {
        Archive archive = Archive.of(5, 60, 2_000).write(cloud::put);
        archive.add(inParts(5, 60, cloud::put));
        Run run = cloud.start();
        Execution.Result end = cloud.execute(cloud.machines(RequestLog.recorded(cloud.inProcess())), run)
                .await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
    }

    /** An object that is copied in several commits, beside as many as there are. */
    private static Archive inParts(long seed, int others, Archive.Target target) throws Exception {
        return Archive.of(seed, others + 1, 3 << 20).only(others).write(target);
    }

    /** One run by an inventory that is there, one by one that is not. */
    private static void copyByInventory(Cloud cloud, String inventories) throws Exception {
        Inventory inventory = new Inventory(cloud.devices());
        List<String> lines = new ArrayList<>();
        Archive _ = Archive.of(11, 10, 500).write((key, bytes) -> {
            cloud.put("third/" + key, bytes);
            lines.add(inventory.line("raw/third/" + key, bytes.length));
        });
        assertThat(byInventory(cloud, inventories)).isEqualTo(Execution.Status.FAILED);
        inventory.file(lines).deliver((key, bytes) -> cloud.server().put(inventories, key, bytes));
        assertThat(byInventory(cloud, inventories)).isEqualTo(Execution.Status.SUCCEEDED);
    }

    private static Execution.Status byInventory(Cloud cloud, String inventories) throws Exception {
        String run = cloud.start().runId();
        ObjectNode input =
                Json.object().put("runId", run).put("inventory", "s3://" + inventories + "/" + Inventory.MANIFEST);
        return cloud.machines(RequestLog.recorded(cloud.inProcess()))
                .start("copy", run, input)
                .await()
                .status();
    }

    /**
     * Each function loses its first write of a kind; another is faster with the second, a large one at the sink among them; a planner and a landing worker have died with an upload open; one
     * task is landed in the next round only. What follows needs permissions too.
     */
    private static void copyInBadWeather(Cloud cloud) throws Exception {
        Set<String> lost = ConcurrentHashMap.newKeySet();
        RequestLog.during((function, request) -> {
            switch (request) {
                case PutObjectRequest put -> {
                    if (function.equals("compact") && put.bucket().equals(cloud.lake())) {
                        leaveAnUpload(cloud, lost, "an upload", put.bucket(), put.key());
                    }
                    lose(lost, function + " " + put.bucket());
                }
                case CompleteMultipartUploadRequest complete -> {
                    if (complete.key().contains("/plan-")) {
                        leaveAnUpload(cloud, lost, "an upload of a plan", complete.bucket(), complete.key());
                    }
                    lose(lost, function + " complete");
                    overtake(cloud, lost, function, complete);
                }
                case AbortMultipartUploadRequest abort -> giveWay(cloud, lost, function, abort);
                default -> {}
            }
        });
        cloud.put(
                "large",
                ("{\"event_type\":\"large\",\"tenant_id\":\"t\",\"time\":\"2021-10-05T04:00:00Z\",\"x\":\""
                                + "x".repeat(4_000) + "\"}\n")
                        .repeat(2_500)
                        .getBytes(StandardCharsets.UTF_8));
        Archive _ = Archive.of(7, 60, 2_000).write((key, bytes) -> cloud.put("second/" + key, bytes));
        Functions functions = deadly(RequestLog.recorded(cloud.inProcess()), lost);
        Execution.Result end =
                cloud.execute(cloud.machines(functions), cloud.start()).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        assertThat(lost)
                .contains(
                        "an upload",
                        "an upload of a plan",
                        "a round",
                        "copy complete",
                        "compact " + cloud.lake(),
                        "compact overtaken in " + cloud.lake(),
                        "compact overtaken in " + cloud.ownStaging(),
                        "plan-compaction overtaken in " + cloud.ownStaging(),
                        "finish-run overtaken in " + cloud.ownStaging());
        RequestLog.during((function, request) -> {});
    }

    /** Another object appears under the key just before this one would; it is like what lies beside it. */
    private static void overtake(
            Cloud cloud, Set<String> lost, String function, CompleteMultipartUploadRequest complete) {
        if (Set.of("compact", "plan-compaction", "finish-run").contains(function)
                && lost.add(function + " overtaken in " + complete.bucket())) {
            lost.add("overtaken " + complete.key());
            String bucket = complete.bucket();
            String folder = complete.key().substring(0, complete.key().lastIndexOf('/') + 1);
            S3Client owner = cloud.server().owner();
            byte[] another = owner.listObjectsV2(r -> r.bucket(bucket).prefix(folder)).contents().stream()
                    .findFirst()
                    .map(o -> owner.getObjectAsBytes(r -> r.bucket(bucket).key(o.key()))
                            .asByteArray())
                    .orElseGet(() -> "another".getBytes(StandardCharsets.UTF_8));
            var _ = owner.putObject(r -> r.bucket(bucket).key(complete.key()), RequestBody.fromBytes(another));
        }
    }

    /** And is gone before the next try, but for the report of a run, which is taken as it is. */
    private static void giveWay(Cloud cloud, Set<String> lost, String function, AbortMultipartUploadRequest abort) {
        if (!function.equals("finish-run") && lost.remove("overtaken " + abort.key())) {
            var _ = cloud.server()
                    .owner()
                    .deleteObject(r -> r.bucket(abort.bucket()).key(abort.key()));
        }
    }

    private static void leaveAnUpload(Cloud cloud, Set<String> lost, String what, String bucket, String key) {
        if (lost.add(what)) {
            var _ = cloud.server()
                    .owner()
                    .createMultipartUpload(r -> r.bucket(bucket).key(key));
        }
    }

    /** The worker of the first landing task dies whenever it is called in the first round. */
    private static Functions deadly(Functions functions, Set<String> lost) {
        AtomicReference<Optional<String>> task = new AtomicReference<>(Optional.empty());
        return (name, payload) -> {
            if (name.equals("finish-compaction")) {
                lost.add("a round");
            }
            if (name.equals("compact") && !lost.contains("a round")) {
                String mine = payload.toString();
                if (task.updateAndGet(t -> t.or(() -> Optional.of(mine))).equals(Optional.of(mine))) {
                    throw new Failure("Runtime.ExitError", "{}");
                }
            }
            return functions.invoke(name, payload);
        };
    }

    private static void lose(Set<String> lost, String what) {
        if (lost.add(what)) {
            throw SdkClientException.create("lost on purpose: " + what);
        }
    }

    /** Two objects more by events, landed by the schedule, the rest swept. */
    private static void keepCurrent(Cloud cloud, SfnClient sfn) throws Exception {
        Functions functions = RequestLog.recorded(cloud.inProcess());
        JsonNode _ = functions.invoke("lag", EventFiles.read("lag.json", "PIPELINE", Cloud.PIPELINE));
        EventMessages messages = new EventMessages();
        Archive _ = Archive.of(6, 3, 2_000).write((key, bytes) -> {
            cloud.put("more/" + key, bytes);
            messages.tell(cloud.devices(), "raw/more/" + key, "ObjectCreated:Put");
        });
        messages.tell(cloud.devices(), "raw/more/gone", "ObjectCreated:Put");
        JsonNode _ = functions.invoke("s3-event", messages.batch());
        Clock later = Clock.offset(cloud.clock(), Duration.ofDays(2));
        RequestLog.as("compaction-schedule", () -> {
            new CompactionScheduleHandler(
                            cloud.wiring(later),
                            _ -> (machine, input) -> sfn.startExecution(
                                    r -> r.stateMachineArn(machine).input(input)))
                    .handleRequest(
                            new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8)),
                            new ByteArrayOutputStream(),
                            new FakeContext("compaction-schedule", "1", Duration.ofMinutes(15)));
            return true;
        });
        Execution.Result landed = cloud.machines(functions)
                .start("compact", "by-schedule", Json.object().put("pipelineName", Cloud.PIPELINE))
                .await();
        assertThat(landed.status()).as(landed.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        for (int days : List.of(2, 30)) {
            Wiring then = cloud.wiring(Clock.offset(cloud.clock(), Duration.ofDays(days)));
            JsonNode _ = RequestLog.recorded(cloud.inProcess(then)).invoke("sweep", Json.object());
        }
    }

    /** Events come before any run of their pipeline. */
    private static void beginWithEvents(Cloud cloud) throws Exception {
        EventMessages messages = new EventMessages();
        Archive _ = Archive.of(8, 2, 2_000).write((key, bytes) -> {
            cloud.put(key, bytes);
            messages.tell(cloud.devices(), "raw/" + key, "ObjectCreated:Put");
        });
        Archive _ = inParts(8, 2, (key, bytes) -> {
            cloud.put(key, bytes);
            messages.tell(cloud.devices(), "raw/" + key, "ObjectCreated:Put");
        });
        Set<String> lost = ConcurrentHashMap.newKeySet();
        RequestLog.during((function, request) -> {
            if (request instanceof UploadPartRequest) {
                lose(lost, function + " part");
            }
        });
        JsonNode _ = RequestLog.recorded(cloud.inProcess()).invoke("s3-event", messages.batch());
        assertThat(lost).contains("s3-event part");
        JsonNode answer = RequestLog.recorded(cloud.inProcess()).invoke("s3-event", messages.batch());
        assertThat(EventMessages.again(answer)).isEmpty();
        RequestLog.during((function, request) -> {});
    }

    private static void administer(Cloud cloud, SfnClient sfn) throws Exception {
        RegistryService registry = new RegistryService(
                Contract.load(),
                cloud.registryStore(),
                new StateMachineLauncher(sfn, StateMachines.arn("copy")),
                Path.of("/"),
                cloud.clock());
        ObjectNode definition = Json.ours(
                "{\"name\":\"other\",\"source\":\"s3://devices/a/\",\"sink\":\"s3://lake/b/\",\"transform\":{\"namespaceFields\":\"type\"}}");
        ObjectNode name = Json.object().put("name", "other");
        RequestLog.as("registry", () -> {
            registry.call(Action.CreatePipeline, definition.deepCopy().put("clientToken", "1"), CALLER);
            registry.call(Action.UpdatePipeline, name.deepCopy().put("bufferThresholdSeconds", 1), CALLER);
            registry.call(Action.DescribePipeline, name, CALLER);
            registry.call(Action.ListPipelines, Json.object(), CALLER);
            ObjectNode run = registry.call(Action.StartRun, Json.object().put("pipelineName", "other"), CALLER);
            ObjectNode id = Json.object().put("runId", run.get("runId").asString());
            registry.call(Action.DescribeRun, id, CALLER);
            registry.call(Action.ListRuns, Json.object(), CALLER);
            registry.call(Action.StopRun, id, CALLER);
            ObjectNode orders =
                    Json.ours("{\"name\":\"orders\",\"source\":\"postgres://o\",\"sink\":\"iceberg://l/o\"}");
            registry.call(Action.CreatePipeline, orders, CALLER);
            ObjectNode other = registry.call(Action.StartRun, Json.object().put("pipelineName", "orders"), CALLER);
            registry.call(
                    Action.ReportRun,
                    Json.object().put("runId", other.get("runId").asString()).put("status", "SUCCEEDED"),
                    CALLER);
            registry.call(Action.DeletePipeline, Json.object().put("name", "orders"), CALLER);
            return true;
        });
        EltPipelineHandler handler = new EltPipelineHandler(() -> registry, (to, body) -> {}, line -> {});
        for (String event : List.of("create", "update", "delete")) {
            asCode(handler, event, "as-code");
        }
        // It has a run that has not ended yet: that is looked at first.
        asCode(handler, "delete", "other");
    }

    private static void asCode(EltPipelineHandler handler, String event, String name) throws Exception {
        ObjectNode request = Json.ours(Files.readString(Path.of("..", "events", "elt-pipeline-" + event + ".json"))
                .replace("\"gdpr\"", "\"" + name + "\""));
        RequestLog.as("elt-pipeline", () -> {
            handler.handleRequest(
                    new ByteArrayInputStream(Json.text(request).getBytes(StandardCharsets.UTF_8)),
                    new ByteArrayOutputStream(),
                    new FakeContext("elt-pipeline", "1", Duration.ofMinutes(1)));
            return true;
        });
    }

    /** One line a request, by its kind. @param names what stands for buckets and tables, whose names are this run's */
    private static String list(Map<String, String> names) {
        TreeSet<String> lines = RequestLog.seen().stream()
                .map(r -> String.join("\t", r.function(), r.action(), resource(r.resource(), names), r.operation()))
                .collect(Collectors.toCollection(TreeSet::new));
        return String.join("\n", lines) + "\n";
    }

    private static Map<String, String> names(Cloud cloud) {
        return Map.of(
                cloud.devices(), "source",
                cloud.lake(), "sink",
                cloud.ownStaging(), "staging",
                cloud.table(), "table");
    }

    private static String resource(String resource, Map<String, String> names) {
        if (resource.startsWith("arn:")) {
            String[] parts = resource.split(":", -1);
            return parts[5] + ":" + parts[6].replaceAll(".*(copy|compact).*", "$1");
        }
        String bucket = resource.replace("/*", "");
        return names.getOrDefault(bucket, "UNKNOWN " + bucket) + resource.substring(bucket.length());
    }

    /** Answers as the service of state machines does; an execution runs for ever. */
    private static HttpServer states() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] answer = ("{\"executionArn\":\"arn:aws:states:us-east-1:1:execution:copy:x\",\"startDate\":1,"
                            + "\"stateMachineArn\":\"arn:aws:states:us-east-1:1:stateMachine:copy\",\"status\":\"RUNNING\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static SfnClient client(HttpServer server) {
        return SfnClient.builder()
                .endpointOverride(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .region(Region.US_EAST_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .httpClient(dev.stet.aws.AwsAccess.withDefaults().http())
                .build();
    }
}
