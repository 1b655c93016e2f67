package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.asl.Functions;
import dev.stet.asl.Limits;
import dev.stet.asl.StateMachines;
import dev.stet.aws.AwsAccess;
import dev.stet.aws.FreshCredentials;
import dev.stet.aws.MiniStack;
import dev.stet.aws.dynamodb.DynamoDb;
import dev.stet.aws.s3.S3Server;
import dev.stet.compact.CompactorSettings;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.plan.TaskSize;
import dev.stet.registry.DynamoDbRegistryStore;
import dev.stet.registry.RegistryHand;
import dev.stet.registry.RegistryStore;
import dev.stet.registry.Run;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.sfn.SfnClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One account for a test: buckets {@code devices} and {@code lake}, a table, one pipeline, the deployed definitions, and the functions they call. Waiting between
 * tries takes no time.
 */
final class Cloud implements AutoCloseable {
    static final String PIPELINE = "gdpr";
    private static final TaskSize TASKS = new TaskSize(200, 1L << 30);
    private static final FunctionSettings.Parts PARTS = new FunctionSettings.Parts(1 << 20, 1 << 20);
    private static final int PARALLEL = 4;
    private static final Path DEFINITIONS = Path.of("..", "statemachine");

    private final S3Server server;
    private final List<Relay> relays = new ArrayList<>();
    private final String objectsAt;
    private final String tablesAt;
    private final AwsAccess access;
    private final DynamoDb tables;
    private final String table = "stet-" + UUID.randomUUID();
    private final String devices;
    private final String lake;
    private final Optional<String> stagingBucket;
    private final Clock clock;
    private final RegistryHand registry;
    private final List<Wiring> wirings = new ArrayList<>();
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private int generationCommits = CompactorSettings.MAX_COMMITS;
    private final Queue<Duration> pauses = new ConcurrentLinkedQueue<>();

    Cloud(S3Server server, Clock clock) throws Exception {
        this(server, clock, false, Optional.empty());
    }

    /** What the functions open can be counted. */
    static Cloud behindRelays(S3Server server, Clock clock) throws Exception {
        return new Cloud(server, clock, true, Optional.empty());
    }

    /** Staging in a bucket of its own, as the stack has it. */
    static Cloud withOwnStaging(S3Server server, Clock clock) throws Exception {
        return new Cloud(server, clock, false, Optional.of(server.newBucket()));
    }

    private Cloud(S3Server server, Clock clock, boolean relayed, Optional<String> stagingBucket) throws Exception {
        this.server = server;
        this.stagingBucket = stagingBucket;
        this.clock = clock;
        String objects = server.location("any", "").endpointUrl().orElseThrow();
        this.objectsAt = relayed ? relay(objects) : objects;
        this.tablesAt = relayed ? relay(direct()) : direct();
        this.access = newAccess();
        this.tables = new DynamoDb(access, Optional.of("us-east-1"), Optional.of(direct()));
        tables.admin().create(table);
        this.devices = server.newBucket();
        this.lake = server.newBucket();
        this.registry = new RegistryHand(new DynamoDbRegistryStore(tables.documents(table)), clock);
        registry.create(pipeline());
    }

    private static AwsAccess newAccess() {
        return new AwsAccess(new FreshCredentials(
                () -> StaticCredentialsProvider.create(AwsBasicCredentials.create("stet", "secret"))));
    }

    private String relay(String to) throws IOException {
        Relay relay = new Relay(URI.create(to));
        relays.add(relay);
        return relay.endpoint().toString();
    }

    int connections() {
        return relays.stream().mapToInt(Relay::open).sum();
    }

    void awaitNoConnections() throws InterruptedException {
        for (Relay relay : relays) {
            relay.awaitClosed();
        }
    }

    private static String direct() {
        return MiniStack.shared().endpoint().toString();
    }

    private ObjectNode pipeline() {
        ObjectNode request = JsonMapper.shared().createObjectNode().put("name", PIPELINE);
        request.putObject("source")
                .putObject("S3")
                .put("s3Bucket", devices)
                .put("s3Prefix", "raw/")
                .put("region", "us-east-1")
                .put("endpointUrl", objectsAt);
        request.putObject("sink")
                .putObject("S3")
                .put("s3Bucket", lake)
                .put("s3Prefix", "landing")
                .put("region", "us-east-1")
                .put("endpointUrl", objectsAt);
        request.putObject("transform")
                .put("namespaceFields", "event_type")
                .put("batchPartitionFields", "detail.tenant_id,tenant_id,tid,truck.tenant_id,device.tenant_id")
                .put("partitionName", "tenant_id")
                .put("batchTimeFields", "time,system_datetime,date")
                .put("timePartitionPrefix", "p_");
        return request;
    }

    /** Of processes made from now on. */
    Cloud withGenerationsOf(int commits) {
        generationCommits = commits;
        return this;
    }

    FunctionSettings settings() {
        return new FunctionSettings(
                table,
                stagingBucket.map(b -> new FunctionSettings.StagingBase(b, "")),
                TASKS,
                2,
                Duration.ofSeconds(1),
                PARTS,
                generationCommits,
                false,
                Optional.of(StateMachines.arn("compact")),
                "Stet");
    }

    /** What a function's process works with; another process has another. */
    Wiring wiring() {
        return wiring(clock);
    }

    Wiring wiring(Clock at) {
        Wiring wiring = new Wiring(
                settings(),
                () -> new Clients(newAccess(), Optional.of("us-east-1"), Optional.of(tablesAt)),
                at,
                log::add);
        wirings.add(wiring);
        return wiring;
    }

    /** The registry as a process of its own functions has it; no run is started by it. */
    RegistryProcess registryProcess() {
        return new RegistryProcess(
                () -> {
                    AwsAccess own = newAccess();
                    DynamoDb ownTables = new DynamoDb(own, Optional.of("us-east-1"), Optional.of(tablesAt));
                    return RegistryProcess.open(
                            own, ownTables, table, new NoStepFunctions(), StateMachines.arn("copy"));
                },
                log::add);
    }

    private static final class NoStepFunctions implements SfnClient {
        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {}
    }

    /** All functions in this process. */
    InProcess inProcess() {
        return inProcess(wiring());
    }

    InProcess inProcess(Wiring wiring) {
        return new InProcess()
                .with("plan", new PlanHandler(wiring))
                .with("copy", new CopyHandler(wiring))
                .with("next-round", new NextRoundHandler(wiring))
                .with("plan-compaction", new PlanCompactionHandler(wiring))
                .with("compact", new CompactHandler(wiring))
                .with("finish-compaction", new FinishCompactionHandler(wiring))
                .with("finish-run", new FinishRunHandler(wiring))
                .with("s3-event", new S3EventHandler(wiring))
                .with("sweep", new SweepHandler(wiring))
                .with("lag", new LagHandler(wiring));
    }

    /** The deployed definitions over these functions. */
    StateMachines machines(Functions functions) throws IOException {
        StateMachines machines = new StateMachines(
                functions,
                new S3Files(server.owner()),
                pauses::add,
                new Random(1),
                new StateMachines.Settings(PARALLEL, Limits.HISTORY_EVENTS));
        machines.deploy("compact", definition("compact"), names());
        machines.deploy("copy", definition("copy"), names());
        return machines;
    }

    static String definition(String name) throws IOException {
        return Files.readString(DEFINITIONS.resolve(name + ".asl.json"));
    }

    /** What CloudFormation puts for the placeholders of a definition that uses them. */
    private static Map<String, String> names() {
        return Map.of(
                "PlanFunction", "plan",
                "CopyFunction", "copy",
                "NextRoundFunction", "next-round",
                "FinishRunFunction", "finish-run",
                "PlanCompactionFunction", "plan-compaction",
                "CompactFunction", "compact",
                "FinishCompactionFunction", "finish-compaction",
                "CompactStateMachine", StateMachines.arn("compact"));
    }

    /** Starts a run, as StartRun does. */
    Run start() throws Exception {
        return registry.start(PIPELINE);
    }

    Execution execute(StateMachines machines, Run run) {
        return machines.start(
                "copy", run.runId(), JsonMapper.shared().createObjectNode().put("runId", run.runId()));
    }

    /** What the service sets in the environment of a function's process. */
    Map<String, String> environment() {
        return Map.ofEntries(
                Map.entry("STET_TABLE", table),
                Map.entry("STET_TASK_OBJECTS", Long.toString(TASKS.objects())),
                Map.entry("STET_THREADS", "2"),
                Map.entry("STET_MARGIN_SECONDS", "1"),
                Map.entry("STET_PARTS_FROM_MEGABYTES", Long.toString(PARTS.fromBytes() >> 20)),
                Map.entry("STET_PART_MEGABYTES", Long.toString(PARTS.bytes() >> 20)),
                Map.entry("STET_CHECKSUMS", "false"),
                Map.entry("AWS_ACCESS_KEY_ID", "stet"),
                Map.entry("AWS_SECRET_ACCESS_KEY", "secret"),
                Map.entry("AWS_REGION", "us-east-1"),
                Map.entry("AWS_ENDPOINT_URL_DYNAMODB", tablesAt));
    }

    /** Once every lease is over, the sweeper leaves no bundle, no upload and no commit that is UPLOADING. */
    void requireNoGarbage() throws Exception {
        Clock later = Clock.offset(clock, Duration.ofHours(1));
        JsonNode _ =
                inProcess(wiring(later)).invoke("sweep", JsonMapper.shared().createObjectNode());
        Site site = site();
        assertThat(commits(site, CommitState.UPLOADING)).isEmpty();
        assertThat(staged()).noneMatch(key -> key.startsWith("bundles/"));
        assertThat(server.owner().listMultipartUploads(r -> r.bucket(lake)).uploads())
                .isEmpty();
    }

    /** Keys of all that lies in staging. */
    List<String> staged() throws Exception {
        List<String> keys = new ArrayList<>();
        try (ObjectListing listing = site().staging().list(KeyRange.ALL)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                keys.add(e.get().key());
            }
        }
        return keys;
    }

    /** Keys of all objects in the sink. */
    List<String> landed() throws Exception {
        List<String> keys = new ArrayList<>();
        try (ObjectListing listing = site().sink().list(KeyRange.ALL)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                keys.add(e.get().key());
            }
        }
        return keys;
    }

    /** What the map of a planned run hands to its workers. */
    List<ObjectNode> tasks(Run run, JsonNode state) throws IOException {
        List<ObjectNode> tasks = new ArrayList<>();
        try (InputStream items = new S3Files(server.owner())
                .read(
                        state.at("/round/items/bucket").stringValue(),
                        state.at("/round/items/key").stringValue())) {
            for (String line : new String(items.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                ObjectNode task = EventFiles.read("copy.json", "RUN_ID", run.runId());
                task.set("item", JsonMapper.shared().readTree(line));
                tasks.add(task);
            }
        }
        return tasks;
    }

    RegistryHand registry() {
        return registry;
    }

    S3Server server() {
        return server;
    }

    Clock clock() {
        return clock;
    }

    String table() {
        return table;
    }

    void put(String key, byte[] stored) {
        server.put(devices, "raw/" + key, stored);
    }

    void remove(String key) {
        server.remove(devices, "raw/" + key);
    }

    String devices() {
        return devices;
    }

    /** The bucket that staging has for itself. */
    String ownStaging() {
        return stagingBucket.orElseThrow();
    }

    RegistryStore registryStore() {
        return new DynamoDbRegistryStore(tables.documents(table));
    }

    String lake() {
        return lake;
    }

    /** As the functions see the pipeline's places. */
    Site site() throws Exception {
        Wiring mine = wiring();
        return Site.open(registry.find(start().runId()).definition().config(), mine.clients(), settings(), clock);
    }

    ObjectStore sink() throws Exception {
        return server.clients().store(server.location(lake, "landing"), dev.stet.aws.s3.StoreOptions.DEFAULT);
    }

    List<Commit> commits(Site site, CommitState state) throws IOException {
        List<Commit> found = new ArrayList<>();
        site.ledger().forEach(state, found::add);
        return found;
    }

    List<String> log() {
        return List.copyOf(log);
    }

    @Override
    public void close() throws IOException {
        wirings.forEach(Wiring::close);
        tables.close();
        access.close();
        for (Relay relay : relays) {
            relay.close();
        }
    }
}
