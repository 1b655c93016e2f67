package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import dev.stet.aws.dynamodb.FakeTable;
import dev.stet.registry.Contract;
import dev.stet.registry.DynamoDbRegistryStore;
import dev.stet.registry.Json;
import dev.stet.registry.RegistryService;
import dev.stet.registry.RegistryStore;
import dev.stet.registry.RunStatus;
import dev.stet.registry.Runs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionRequest;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionResponse;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;
import software.amazon.awssdk.services.sfn.model.ExecutionDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;
import tools.jackson.databind.node.ObjectNode;

/** The registry's Lambda, from the gateway's event to the execution of the state machine. */
class StateMachineLauncherTest {
    private static final String ARN = "arn:aws:states:eu-west-1:123456789012:stateMachine:stet-run";

    /** Executions by name, as the service keeps them: a name is used once. */
    private static final class FakeStepFunctions implements SfnClient {
        final Map<String, String> inputs = new TreeMap<>();
        final Map<String, ExecutionStatus> states = new TreeMap<>();
        final List<String> asked = new ArrayList<>();
        boolean down;

        @Override
        public StartExecutionResponse startExecution(StartExecutionRequest request) {
            asked.add(request.name());
            if (down) {
                throw SdkClientException.create("no route to host");
            }
            assertThat(request.stateMachineArn()).isEqualTo(ARN);
            if (inputs.putIfAbsent(request.name(), request.input()) != null
                    && states.get(request.name()) != ExecutionStatus.RUNNING) {
                throw ExecutionAlreadyExistsException.builder()
                        .message("exists")
                        .build();
            }
            states.putIfAbsent(request.name(), ExecutionStatus.RUNNING);
            return StartExecutionResponse.builder().build();
        }

        @Override
        public DescribeExecutionResponse describeExecution(DescribeExecutionRequest request) {
            String prefix = "arn:aws:states:eu-west-1:123456789012:execution:stet-run:";
            assertThat(request.executionArn()).startsWith(prefix);
            ExecutionStatus status = states.get(request.executionArn().substring(prefix.length()));
            if (status == null) {
                throw ExecutionDoesNotExistException.builder().message("none").build();
            }
            return DescribeExecutionResponse.builder()
                    .status(status)
                    .cause("States.Timeout\nmore")
                    .build();
        }

        @Override
        public String serviceName() {
            return "states";
        }

        @Override
        public void close() {}
    }

    private final FakeStepFunctions stepFunctions = new FakeStepFunctions();
    private final RegistryStore store =
            new DynamoDbRegistryStore(FakeTable.calm().documents());
    private final RegistryService service = new RegistryService(
            Contract.load(), store, new StateMachineLauncher(stepFunctions, ARN), Path.of("/"), Clock.systemUTC());
    private final RegistryHandler handler = new RegistryHandler(() -> service);

    private record Answer(int status, ObjectNode json) {
        String text(String field) {
            return json.path(field).asString("");
        }
    }

    private static RequestContext.Authorizer iam() {
        return RequestContext.Authorizer.builder()
                .withIam(RequestContext.IAM
                        .builder()
                        .withAccessKey("AKIDEXAMPLE")
                        .build())
                .build();
    }

    private static RequestContext.Authorizer jwt(String scope) {
        return RequestContext.Authorizer.builder()
                .withJwt(RequestContext.Authorizer.JWT
                        .builder()
                        .withClaims(Map.of("sub", "alice", "scope", scope))
                        .build())
                .build();
    }

    private Answer call(String path, String body, Optional<RequestContext.Authorizer> authorizer) {
        RequestContext context = RequestContext.builder()
                .withStage("v1")
                .withHttp(RequestContext.Http.builder().withMethod("POST").build())
                .withAuthorizer(authorizer.orElse(null))
                .build();
        APIGatewayV2HTTPResponse response = handler.handleRequest(
                APIGatewayV2HTTPEvent.builder()
                        .withRawPath("/v1" + path)
                        .withRequestContext(context)
                        .withIsBase64Encoded(true)
                        .withBody(Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8)))
                        .build(),
                null);
        assertThat(response.getHeaders()).containsEntry("Content-Type", "application/json");
        return new Answer(response.getStatusCode(), Json.ours(response.getBody()));
    }

    private Answer call(String action, String body) {
        return call("/" + action, body, Optional.of(iam()));
    }

    private void create() {
        assertThat(call(
                                "CreatePipeline",
                                "{\"name\": \"gdpr\", \"source\": \"s3://raw/\", \"sink\": \"s3://lake/x\", \"transform\": {\"namespaceFields\": \"t\"}}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aRunIsAnExecutionOfItsNameHoweverOftenItIsStarted() throws Exception {
        create();
        String request = "{\"pipelineName\": \"gdpr\", \"clientToken\": \"x\"}";
        String runId = call("StartRun", request).text("runId");
        assertThat(call("StartRun", request).text("runId")).isEqualTo(runId);
        assertThat(stepFunctions.inputs).isEqualTo(Map.of(runId, "{\"runId\":\"" + runId + "\"}"));
        assertThat(stepFunctions.asked).containsExactly(runId, runId);
        Answer run = call("DescribeRun", "{\"runId\": \"" + runId + "\"}");
        assertThat(run.text("status")).isEqualTo("RUNNING");
        assertThat(run.text("startedBy")).isEqualTo("AKIDEXAMPLE");
        Runs runs = new Runs(store, Clock.systemUTC());
        runs.finish(runId, RunStatus.SUCCEEDED, Optional.empty(), Optional.empty());
        stepFunctions.states.put(runId, ExecutionStatus.SUCCEEDED);
        assertThat(call("DescribeRun", "{\"runId\": \"" + runId + "\"}").text("status"))
                .isEqualTo("SUCCEEDED");
        assertThat(call("StartRun", request).text("runId")).isEqualTo(runId);
        assertThat(stepFunctions.asked)
                .as("what has ended is not started again")
                .hasSize(2);
    }

    @Test
    void aRunWhoseExecutionEndedWithoutAWordHasFailed() {
        create();
        String runId = call("StartRun", "{\"pipelineName\": \"gdpr\"}").text("runId");
        stepFunctions.states.put(runId, ExecutionStatus.TIMED_OUT);
        Answer run = call("DescribeRun", "{\"runId\": \"" + runId + "\"}");
        assertThat(run.text("status")).isEqualTo("FAILED");
        assertThat(run.text("lastError"))
                .contains("TIMED_OUT")
                .contains("States.Timeout")
                .doesNotContain("more");
    }

    @Test
    void aRunThatCannotBeStartedHasFailedAndTheNextMay() {
        create();
        stepFunctions.down = true;
        assertThat(call("StartRun", "{\"pipelineName\": \"gdpr\"}").status()).isEqualTo(500);
        stepFunctions.down = false;
        assertThat(call("StartRun", "{\"pipelineName\": \"gdpr\"}").status()).isEqualTo(200);
    }

    @Test
    void aDirectoryIsRefused() {
        Answer answer = call(
                "CreatePipeline",
                "{\"name\": \"p\", \"source\": \"/raw\", \"sink\": \"s3://lake/x\", \"transform\": {\"namespaceFields\": \"t\"}}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("field")).isEqualTo("source");
    }

    @Test
    void aTokenDoesWhatItsScopesSay() {
        create();
        assertThat(call("/jwt/ListPipelines", "{}", Optional.of(jwt("elt:ListPipelines elt:StartRun")))
                        .status())
                .isEqualTo(200);
        assertThat(call("/jwt/DeletePipeline", "{\"name\": \"gdpr\"}", Optional.of(jwt("elt:ListPipelines")))
                        .status())
                .isEqualTo(403);
        String runId = call("/jwt/StartRun", "{\"pipelineName\": \"gdpr\"}", Optional.of(jwt("[elt:StartRun a]")))
                .text("runId");
        assertThat(call("DescribeRun", "{\"runId\": \"" + runId + "\"}").text("startedBy"))
                .isEqualTo("alice");
        assertThat(call("/ListPipelines", "{}", Optional.empty()).status()).isEqualTo(401);
    }

    /** The sample events, read as the service's runtime reads them. */
    @Test
    void requestsAsTheGatewaySendsThem() throws Exception {
        create();
        String runId = sample("api-start-run.json", "PIPELINE", "gdpr").text("runId");
        assertThat(stepFunctions.asked).containsExactly(runId);
        Answer run = sample("api-describe-run-jwt.json", "RUN_ID", runId);
        assertThat(run.status()).isEqualTo(200);
        assertThat(run.text("startedBy")).isEqualTo("AKIDEXAMPLE");
        assertThat(run.text("status")).isEqualTo("RUNNING");
    }

    private Answer sample(String file, String... replacements) throws Exception {
        APIGatewayV2HTTPEvent event = LambdaEventSerializers.serializerFor(
                        APIGatewayV2HTTPEvent.class, getClass().getClassLoader())
                .fromJson(EventFiles.read(file, replacements).toString());
        APIGatewayV2HTTPResponse response = handler.handleRequest(event, null);
        return new Answer(response.getStatusCode(), Json.ours(response.getBody()));
    }

    @Test
    void aPathThatIsNoActionIsNotFound() {
        assertThat(call("/Nothing", "{}", Optional.of(iam())).status()).isEqualTo(404);
    }

    @Test
    void aSettingThatIsMissingIsNamed() {
        assertThatThrownBy(() -> new RegistryHandler()).hasMessageContaining("STET_TABLE");
    }
}
