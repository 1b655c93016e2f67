package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.stet.aws.dynamodb.FakeTable;
import dev.stet.registry.Action;
import dev.stet.registry.Caller;
import dev.stet.registry.Contract;
import dev.stet.registry.DynamoDbRegistryStore;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.Json;
import dev.stet.registry.PipelineDefinition;
import dev.stet.registry.RegistryException;
import dev.stet.registry.RegistryService;
import dev.stet.registry.Run;
import dev.stet.registry.RunLauncher;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** A stack that has a pipeline is created, changed, rolled back and deleted. */
final class EltPipelineTest {
    private static final Caller SOMEBODY = new Caller("somebody", Optional.empty());

    private final RegistryService registry = new RegistryService(
            Contract.load(),
            new DynamoDbRegistryStore(FakeTable.calm().documents()),
            new NoLauncher(),
            Path.of("/"),
            Clock.systemUTC());
    private final List<ObjectNode> answers = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final EltPipelineHandler handler =
            new EltPipelineHandler(() -> registry, (to, body) -> answers.add(Json.ours(body)), log::add);

    @Test
    void createMakesThePipelineWithItsTextsAsTheContractsTypes() throws Exception {
        ObjectNode event = event("Create");
        ObjectNode properties = (ObjectNode) event.get("ResourceProperties");
        properties.put("bufferThresholdSeconds", "3600").put("maxObjectBytes", "67108864");
        ObjectNode s3 = properties.putObject("source").putObject("S3");
        s3.put("s3Bucket", "devices").put("s3Prefix", "raw/").put("requesterPays", "true");
        ObjectNode answer = answer(event);
        assertThat(answer.get("Status").asString()).isEqualTo("SUCCESS");
        assertThat(answer.get("PhysicalResourceId").asString()).isEqualTo("gdpr");
        assertThat(answer.get("Data").get("revision").asString()).isEqualTo("1");
        for (String field : List.of("StackId", "RequestId", "LogicalResourceId")) {
            assertThat(answer.get(field)).isEqualTo(event.get(field));
        }
        ObjectNode made = described("gdpr");
        assertThat(made.get("bufferThresholdSeconds").intValue()).isEqualTo(3_600);
        assertThat(made.get("source").get("S3").get("requesterPays").booleanValue())
                .isTrue();
    }

    @Test
    void theSampleEventsAreServedInTheirOrder() throws Exception {
        for (String name :
                List.of("elt-pipeline-create.json", "elt-pipeline-update.json", "elt-pipeline-delete.json")) {
            ObjectNode event = Json.ours(Files.readString(Path.of("..", "events", name)));
            assertThat(answer(event).get("Status").asString()).as(name).isEqualTo("SUCCESS");
        }
        assertThatThrownBy(() -> described("gdpr")).isInstanceOf(RegistryException.class);
    }

    @Test
    void theSameCreateTwiceIsOnePipeline() throws Exception {
        ObjectNode first = answer(event("Create"));
        ObjectNode second = answer(event("Create"));
        assertThat(second).isEqualTo(first);
        assertThat(described("gdpr").get("revision").intValue()).isEqualTo(1);
    }

    @Test
    void updateChangesInPlaceAndWhatIsNoLongerSaidIsAsInANewPipeline() throws Exception {
        ObjectNode create = event("Create");
        ((ObjectNode) create.get("ResourceProperties")).put("bufferThresholdSeconds", "60");
        answer(create);
        ObjectNode update = event("Update").put("PhysicalResourceId", "gdpr");
        ((ObjectNode) update.get("ResourceProperties").get("transform")).put("timePartitionPrefix", "p_");
        ObjectNode answer = answer(update);
        assertThat(answer.get("Status").asString()).isEqualTo("SUCCESS");
        assertThat(answer.get("PhysicalResourceId").asString()).isEqualTo("gdpr");
        assertThat(answer.get("Data").get("revision").asString()).isEqualTo("2");
        ObjectNode after = described("gdpr");
        assertThat(after.get("transform").get("timePartitionPrefix").asString()).isEqualTo("p_");
        assertThat(after.has("bufferThresholdSeconds")).isFalse();
    }

    @Test
    void renamingIsRefusedAndNothingIsReplaced() throws Exception {
        answer(event("Create"));
        ObjectNode update = event("Update").put("PhysicalResourceId", "gdpr");
        ((ObjectNode) update.get("ResourceProperties")).put("name", "other");
        ObjectNode answer = answer(update);
        assertThat(answer.get("Status").asString()).isEqualTo("FAILED");
        assertThat(answer.get("Reason").asString()).contains("gdpr").contains("other");
        assertThat(answer.get("PhysicalResourceId").asString()).isEqualTo("gdpr");
        assertThat(described("gdpr").get("revision").intValue()).isEqualTo(1);
    }

    @Test
    void aRefusedCreateIsRolledBackWithoutTouchingThePipelineThatHasTheName() throws Exception {
        ObjectNode theirs =
                registry.call(Action.CreatePipeline, definition().put("bufferThresholdSeconds", 7), SOMEBODY);
        ObjectNode refused = answer(event("Create"));
        assertThat(refused.get("Status").asString()).isEqualTo("FAILED");
        assertThat(refused.get("Reason").asString()).contains("gdpr");
        String physical = refused.get("PhysicalResourceId").asString();
        assertThat(physical).startsWith("not-created:");
        ObjectNode rollback = answer(event("Delete").put("PhysicalResourceId", physical));
        assertThat(rollback.get("Status").asString()).isEqualTo("SUCCESS");
        assertThat(described("gdpr")).isEqualTo(theirs);
    }

    @Test
    void anInvalidDefinitionIsRefusedWithTheFieldThatIsWrong() throws Exception {
        ObjectNode event = event("Create");
        ((ObjectNode) event.get("ResourceProperties").get("transform")).put("batchTimeUnit", "fortnight");
        ObjectNode answer = answer(event);
        assertThat(answer.get("Status").asString()).isEqualTo("FAILED");
        assertThat(answer.get("Reason").asString()).contains("transform.batchTimeUnit");
    }

    @Test
    void deleteTwiceIsSuccessTwice() throws Exception {
        answer(event("Create"));
        ObjectNode delete = event("Delete").put("PhysicalResourceId", "gdpr");
        assertThat(answer(delete).get("Status").asString()).isEqualTo("SUCCESS");
        assertThat(answer(delete).get("Status").asString()).isEqualTo("SUCCESS");
        assertThatThrownBy(() -> described("gdpr"))
                .isInstanceOfSatisfying(
                        RegistryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NotFound));
    }

    @Test
    void aBusyPipelineIsNotDeleted() throws Exception {
        answer(event("Create"));
        ObjectNode _ = registry.call(Action.StartRun, Json.object().put("pipelineName", "gdpr"), SOMEBODY);
        ObjectNode answer = answer(event("Delete").put("PhysicalResourceId", "gdpr"));
        assertThat(answer.get("Status").asString()).isEqualTo("FAILED");
        assertThat(answer.get("PhysicalResourceId").asString()).isEqualTo("gdpr");
        assertThat(described("gdpr").get("activeRuns").size()).isEqualTo(1);
    }

    @Test
    void aRequestOfAnUnknownKindIsAnsweredToo() throws Exception {
        assertThat(answer(event("Import")).get("Status").asString()).isEqualTo("FAILED");
    }

    @Test
    void theAnswerIsPutToTheAddressOfTheEventUntilItArrives() throws Exception {
        BlockingQueue<String> put = new LinkedBlockingQueue<>();
        List<Integer> replies = new ArrayList<>(List.of(503, 200));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            put.add(exchange.getRequestMethod() + " "
                    + Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type")) + " " + body);
            exchange.sendResponseHeaders(replies.removeFirst(), -1);
            exchange.close();
        });
        server.start();
        try {
            URI at = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/answer?signature=x");
            new HttpResponseSender().send(at, "{\"Status\":\"SUCCESS\"}");
            assertThat(put)
                    .containsExactly(
                            "PUT Optional.empty {\"Status\":\"SUCCESS\"}",
                            "PUT Optional.empty {\"Status\":\"SUCCESS\"}");
        } finally {
            server.stop(0);
        }
    }

    private ObjectNode answer(ObjectNode event) throws IOException {
        handler.handleRequest(
                new ByteArrayInputStream(Json.text(event).getBytes(StandardCharsets.UTF_8)),
                new ByteArrayOutputStream(),
                new FakeContext("elt-pipeline", "1", Duration.ofMinutes(1)));
        return answers.getLast();
    }

    private ObjectNode described(String name) throws RegistryException, IOException {
        return registry.call(Action.DescribePipeline, Json.object().put("name", name), SOMEBODY);
    }

    private static ObjectNode definition() {
        ObjectNode definition = Json.object()
                .put("name", "gdpr")
                .put("source", "s3://devices/raw/")
                .put("sink", "s3://lake/landing");
        definition.putObject("transform").put("namespaceFields", "event_type").put("batchTimeFields", "time,date");
        return definition;
    }

    /** As CloudFormation sends it. */
    private static ObjectNode event(String type) {
        ObjectNode event = Json.object()
                .put("RequestType", type)
                .put("ResponseURL", "https://cloudformation-custom-resource-response.example/answer")
                .put("StackId", "arn:aws:cloudformation:eu-central-1:111122223333:stack/pipelines/1")
                .put("RequestId", "7bfe2d54-" + type)
                .put("ResourceType", "Custom::EltPipeline")
                .put("LogicalResourceId", "Gdpr");
        ObjectNode properties = definition();
        properties.put("ServiceToken", "arn:aws:lambda:eu-central-1:111122223333:function:elt:live");
        event.set("ResourceProperties", properties);
        return event;
    }

    /** Runs stay as they are started. */
    private static final class NoLauncher implements RunLauncher {
        @Override
        public void check(PipelineDefinition definition) {}

        @Override
        public void start(Run run) {}

        @Override
        public void startAgain(Run run) {}

        @Override
        public Optional<String> lost(Run run) {
            return Optional.empty();
        }
    }
}
