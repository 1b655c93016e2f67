package dev.stet.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every action through the API, with all that can be wrong with a call. One subclass a store, which is empty at first. */
abstract class RegistryApiContract {
    private static final Contract CONTRACT = Contract.load();
    private static final String GDPR = """
            {"name": "gdpr", "source": "s3://devices/raw/", "sink": "s3://lake/landing",
             "transform": {"namespaceFields": "event_type", "batchTimeFields": "time,date"}}""";
    private static final String ORDERS =
            "{\"name\": \"orders-bronze\", \"source\": \"postgres://orders\", \"sink\": \"iceberg://lake/orders\"}";

    private final RecordingLauncher launcher = new RecordingLauncher();
    private final List<Throwable> faults = new ArrayList<>();
    private RegistryApi api;

    protected abstract RegistryStore open() throws IOException;

    @BeforeEach
    final void setUp() throws IOException {
        api = new RegistryApi(
                new RegistryService(CONTRACT, open(), launcher, Path.of("/work"), Clock.systemUTC()), faults::add);
    }

    /** An answer, checked against the contract. */
    private record Answer(int status, ObjectNode json) {
        String text(String field) {
            return json.get(field).asString();
        }
    }

    private Answer call(Action action, String body) {
        return call(action, body, new Caller("AKIDEXAMPLE", Optional.empty()));
    }

    private Answer call(Action action, String body, Caller caller) {
        RegistryApi.Response response = api.answer(
                new RegistryApi.Request("POST", "/" + action, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8))),
                () -> caller);
        ObjectNode json = Json.ours(response.body());
        JsonNode responses = CONTRACT.document().at("/paths/~1" + action + "/post/responses");
        assertThat(responses.has(Integer.toString(response.status())))
                .as("%s is listed: %s", response.status(), json)
                .isTrue();
        String schema = response.status() == 200
                ? responses.at("/200/content/application~1json/schema/$ref").asString()
                : "/Error";
        assertThat(CONTRACT.errors(schema.substring(schema.lastIndexOf('/') + 1), json))
                .as(json.toString())
                .isEmpty();
        return new Answer(response.status(), json);
    }

    private Answer done(Action action, String body) {
        Answer answer = call(action, body);
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        return answer;
    }

    private void refused(Action action, String body, ErrorCode code, String field) {
        Answer answer = call(action, body);
        assertThat(answer.json().path("code").asString(""))
                .as(answer.json().toString())
                .isEqualTo(code.name());
        assertThat(answer.status()).isEqualTo(code.status());
        assertThat(answer.json().path("field").asString(""))
                .as(answer.json().toString())
                .isEqualTo(field);
        assertThat(faults).isEmpty();
    }

    private String started(String pipeline) {
        return done(Action.StartRun, "{\"pipelineName\": \"" + pipeline + "\"}").text("runId");
    }

    private static String run(String id) {
        return "{\"runId\": \"" + id + "\"}";
    }

    /** A good request of each action, of a world with the two pipelines and a run of orders-bronze. */
    private String good(Action action) {
        done(Action.CreatePipeline, ORDERS);
        String runId = started("orders-bronze");
        return switch (action) {
            case CreatePipeline -> GDPR;
            case UpdatePipeline -> "{\"name\": \"orders-bronze\", \"sink\": \"iceberg://lake/orders2\"}";
            case DescribePipeline -> "{\"name\": \"orders-bronze\"}";
            case DeletePipeline -> {
                done(Action.StopRun, run(runId));
                yield "{\"name\": \"orders-bronze\"}";
            }
            case StartRun -> {
                done(Action.StopRun, run(runId));
                yield "{\"pipelineName\": \"orders-bronze\"}";
            }
            case ListPipelines, ListRuns -> "{}";
            case DescribeRun, StopRun -> run(runId);
            case ReportRun -> "{\"runId\": \"" + runId + "\", \"status\": \"SUCCEEDED\"}";
        };
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void aGoodCallIsDone(Action action) {
        done(action, good(action));
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void anUnknownFieldIsRefused(Action action) {
        ObjectNode request = Json.ours(good(action)).put("colour", "red");
        refused(action, Json.text(request), ErrorCode.InvalidRequest, "colour");
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void aMissingFieldIsNamed(Action action) {
        ObjectNode request = Json.ours(good(action));
        for (JsonNode field : CONTRACT.document().at("/components/schemas/" + action + "Request/required")) {
            ObjectNode without = request.deepCopy();
            without.remove(field.asString());
            refused(action, Json.text(without), ErrorCode.InvalidRequest, field.asString());
        }
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void aWrongTypeIsNamed(Action action) {
        ObjectNode request = Json.ours(good(action));
        Set<String> fields = new TreeSet<>(CONTRACT.document()
                .at("/components/schemas/" + action + "Request/properties")
                .propertyNames());
        for (String field : fields) {
            ObjectNode wrong = request.deepCopy();
            wrong.putArray(field).addObject();
            Answer answer = call(action, Json.text(wrong));
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text("field")).startsWith(field);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CreatePipeline, name",
        "UpdatePipeline, name",
        "DescribePipeline, name",
        "DeletePipeline, name",
        "StartRun, pipelineName",
        "ListRuns, pipelineName",
        "DescribeRun, runId",
        "StopRun, runId",
        "ReportRun, runId"
    })
    void anOverlongOrOddNameIsRefused(Action action, String field) {
        ObjectNode request = Json.ours(good(action));
        for (String name :
                List.of("x".repeat(129), "", " ", "-a", ".a", "a b", "a/b", "a\u0000", "ä", "a\n", "😀", "..")) {
            refused(action, Json.text(request.deepCopy().put(field, name)), ErrorCode.InvalidRequest, field);
        }
    }

    @Test
    void namesOfUpTo128CharactersAreTaken() {
        String name = "A" + "z.9_-".repeat(25) + "zz";
        assertThat(name).hasSize(128);
        done(Action.CreatePipeline, Json.text(Json.ours(ORDERS).put("name", name)));
        assertThat(done(Action.DescribePipeline, "{\"name\": \"" + name + "\"}").text("name"))
                .isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''",
                "[]",
                "null",
                "5",
                "\"text\"",
                "{",
                "{}{}",
                "{\"name\":\"a\",\"name\":\"b\"}",
                "{\"a\":1e999999999}"
            })
    void aBodyThatIsNoObjectIsRefused(String body) {
        for (Action action : Action.values()) {
            Answer answer = call(action, body);
            assertThat(answer.status()).isEqualTo(400);
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void nestedWithoutEndIsRefused() {
        refused(Action.CreatePipeline, "[".repeat(100_000), ErrorCode.InvalidRequest, "");
    }

    @Test
    void whatIsNotThereIsNotFound() {
        refused(Action.DescribePipeline, "{\"name\": \"none\"}", ErrorCode.NotFound, "name");
        refused(Action.UpdatePipeline, "{\"name\": \"none\"}", ErrorCode.NotFound, "name");
        refused(Action.DeletePipeline, "{\"name\": \"none\"}", ErrorCode.NotFound, "name");
        refused(Action.StartRun, "{\"pipelineName\": \"none\"}", ErrorCode.NotFound, "pipelineName");
        refused(Action.DescribeRun, run("none"), ErrorCode.NotFound, "runId");
        refused(Action.StopRun, run("none"), ErrorCode.NotFound, "runId");
        refused(Action.ReportRun, "{\"runId\": \"none\", \"status\": \"FAILED\"}", ErrorCode.NotFound, "runId");
        assertThat(done(Action.ListRuns, "{\"pipelineName\": \"none\"}").json().get("runs"))
                .isEmpty();
    }

    @Test
    void aPipelineIsShownAsItWasGiven() {
        Answer created = done(Action.CreatePipeline, GDPR);
        assertThat(created.text("type")).isEqualTo("copy");
        assertThat(created.json().get("revision").asLong()).isEqualTo(1);
        assertThat(created.json().get("transform")).isEqualTo(Json.ours(GDPR).get("transform"));
        assertThat(done(Action.DescribePipeline, "{\"name\": \"gdpr\"}").json()).isEqualTo(created.json());
        refused(Action.CreatePipeline, GDPR, ErrorCode.PipelineExists, "name");
    }

    @Test
    void creatingAgainWithTheSameTokenIsTheSame() {
        String request = Json.text(Json.ours(GDPR).put("clientToken", "once"));
        Answer first = done(Action.CreatePipeline, request);
        assertThat(done(Action.CreatePipeline, request)).isEqualTo(first);
        refused(
                Action.CreatePipeline,
                Json.text(Json.ours(request).put("sink", "s3://other/")),
                ErrorCode.ClientTokenReused,
                "clientToken");
    }

    @Test
    void aPipelineThatCannotRunHereIsRefusedAtOnce() {
        refused(
                Action.CreatePipeline,
                Json.text(Json.ours(GDPR).put("source", "/some/directory")),
                ErrorCode.InvalidRequest,
                "source");
    }

    @Test
    void anUpdateChangesWhatIsGivenAndSaysWhatItMeans() {
        done(Action.CreatePipeline, GDPR);
        Answer updated = done(
                Action.UpdatePipeline, "{\"name\": \"gdpr\", \"source\": \"s3://devices/raw2/\", \"revision\": 1}");
        assertThat(updated.json().get("revision").asLong()).isEqualTo(2);
        assertThat(updated.text("sink")).isEqualTo("s3://lake/landing");
        assertThat(updated.json().get("notes")).hasSize(1);
        assertThat(updated.json().get("notes").get(0).asString())
                .contains("offsets")
                .contains("s3://devices/raw2/");
        refused(
                Action.UpdatePipeline,
                "{\"name\": \"gdpr\", \"source\": \"s3://devices/raw3/\", \"revision\": 1}",
                ErrorCode.RevisionConflict,
                "revision");
        assertThat(done(Action.DescribePipeline, "{\"name\": \"gdpr\"}").text("source"))
                .isEqualTo("s3://devices/raw2/");
        assertThat(done(Action.UpdatePipeline, "{\"name\": \"gdpr\"}").json().get("notes"))
                .isEmpty();
    }

    @Test
    void anUpdateThatDoesNotFitThePipelineIsRefused() {
        done(Action.CreatePipeline, ORDERS);
        refused(
                Action.UpdatePipeline,
                "{\"name\": \"orders-bronze\", \"type\": \"copy\"}",
                ErrorCode.DoesNotFit,
                "type");
        refused(
                Action.UpdatePipeline,
                "{\"name\": \"orders-bronze\", \"type\": \"copy\", \"source\": \"s3://a/\", \"sink\": \"s3://b/\"}",
                ErrorCode.DoesNotFit,
                "transform");
    }

    @Test
    void aStartedRunIsRunningAndLaunchedOnce() {
        done(Action.CreatePipeline, GDPR);
        String request = "{\"pipelineName\": \"gdpr\", \"clientToken\": \"night\"}";
        Answer started = done(Action.StartRun, request);
        assertThat(started.text("status")).isEqualTo("RUNNING");
        assertThat(done(Action.StartRun, request)).isEqualTo(started);
        assertThat(launcher.started).containsExactly(started.text("runId"));
        assertThat(launcher.startedAgain).containsExactly(started.text("runId"));
        refused(
                Action.StartRun,
                "{\"pipelineName\": \"gdpr\", \"clientToken\": \"night\", \"allowConcurrent\": true}",
                ErrorCode.ClientTokenReused,
                "clientToken");
        refused(Action.StartRun, "{\"pipelineName\": \"gdpr\"}", ErrorCode.PipelineBusy, "");
        refused(Action.DeletePipeline, "{\"name\": \"gdpr\"}", ErrorCode.PipelineBusy, "");
        Answer beside = done(Action.StartRun, "{\"pipelineName\": \"gdpr\", \"allowConcurrent\": true}");
        assertThat(beside.text("runId")).isNotEqualTo(started.text("runId"));
        Answer shown = done(Action.DescribeRun, run(started.text("runId")));
        assertThat(shown.text("startedBy")).isEqualTo("AKIDEXAMPLE");
        assertThat(shown.text("pipelineName")).isEqualTo("gdpr");
    }

    @Test
    void aRunThatCannotBeLaunchedHasFailed() {
        done(Action.CreatePipeline, GDPR);
        launcher.fault = Optional.of(new IOException("no more machines"));
        assertThat(call(Action.StartRun, "{\"pipelineName\": \"gdpr\"}").status())
                .isEqualTo(500);
        JsonNode run = done(Action.ListRuns, "{}").json().get("runs").get(0);
        assertThat(run.get("status").asString()).isEqualTo("FAILED");
        assertThat(run.get("lastError").asString()).contains("no more machines");
        launcher.fault = Optional.empty();
        assertThat(started("gdpr")).isNotEqualTo(run.get("runId").asString());
    }

    @Test
    void aRunWhoseProcessIsGoneTurnsFailedAtTheNextLook() {
        done(Action.CreatePipeline, GDPR);
        String first = started("gdpr");
        launcher.lost.put(first, "its process is gone");
        assertThat(done(Action.DescribeRun, run(first)).text("status")).isEqualTo("FAILED");
        assertThat(done(Action.DescribeRun, run(first)).text("lastError")).isEqualTo("its process is gone");
        String second = started("gdpr");
        launcher.lost.put(second, "its process is gone");
        assertThat(started("gdpr")).as("StartRun looks, too").isNotEqualTo(second);
    }

    @Test
    void aCopyRunStopsByItsWorker() throws Exception {
        done(Action.CreatePipeline, GDPR);
        String runId = started("gdpr");
        assertThat(done(Action.StopRun, run(runId)).text("status")).isEqualTo("STOPPING");
        assertThat(done(Action.StopRun, run(runId)).text("status")).isEqualTo("STOPPING");
        refused(Action.ReportRun, "{\"runId\": \"" + runId + "\", \"status\": \"FAILED\"}", ErrorCode.RunIsOurs, "");
    }

    @Test
    void aMessageThatComesWithSuccessIsNoError() {
        done(Action.CreatePipeline, ORDERS);
        String runId = started("orders-bronze");
        Answer reported = done(
                Action.ReportRun,
                "{\"runId\": \"" + runId + "\", \"status\": \"SUCCEEDED\", \"message\": \"12 tables\"}");
        assertThat(reported.json().has("lastError")).isFalse();
        assertThat(reported.text("report")).endsWith("12 tables");
    }

    @Test
    void aSinkInItsSourceAndAPasswordInAPlaceAreRefusedAtOnce() {
        String transform = "\"transform\": {\"namespace\": \"n\"}";
        refused(
                Action.CreatePipeline,
                "{\"name\": \"p\", \"source\": \"s3://b/raw/\", \"sink\": \"s3://b/raw/out/\", " + transform + "}",
                ErrorCode.InvalidRequest,
                "sink");
        refused(
                Action.CreatePipeline,
                "{\"name\": \"p\", \"source\": \"postgres://me:secret@orders/db\", \"sink\": \"iceberg://lake/orders\"}",
                ErrorCode.InvalidRequest,
                "source");
    }

    @Test
    void aRunOfAnotherEngineStaysRunningUntilItIsReportedOnce() {
        done(Action.CreatePipeline, ORDERS);
        String runId = started("orders-bronze");
        assertThat(launcher.started).isEmpty();
        assertThat(done(Action.DescribeRun, run(runId)).text("status")).isEqualTo("RUNNING");
        String report = "{\"runId\": \"" + runId + "\", \"status\": \"FAILED\", \"message\": \"no table\"}";
        Answer reported = done(Action.ReportRun, report);
        assertThat(reported.text("status")).isEqualTo("FAILED");
        assertThat(reported.text("lastError")).isEqualTo("no table");
        refused(Action.ReportRun, "{\"runId\": \"" + runId + "\", \"status\": \"SUCCEEDED\"}", ErrorCode.RunEnded, "");
        assertThat(done(Action.DescribeRun, run(runId)).json()).isEqualTo(reported.json());
        assertThat(done(Action.StopRun, run(runId)).json()).as("unchanged").isEqualTo(reported.json());
    }

    @Test
    void aRunOfAnotherEngineIsStoppedAtOnce() {
        done(Action.CreatePipeline, ORDERS);
        String runId = started("orders-bronze");
        assertThat(done(Action.StopRun, run(runId)).text("status")).isEqualTo("STOPPED");
        refused(Action.ReportRun, "{\"runId\": \"" + runId + "\", \"status\": \"SUCCEEDED\"}", ErrorCode.RunEnded, "");
    }

    @Test
    void aThousandPipelinesAreListedPageByPage() {
        for (int i = 0; i < 1_003; i++) {
            done(Action.CreatePipeline, Json.text(Json.ours(ORDERS).put("name", "p%04d".formatted((i * 7) % 1_003))));
        }
        List<String> seen = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int pages = 0;
        do {
            ObjectNode request = Json.object().put("maxResults", 250);
            token.ifPresent(t -> request.put("nextToken", t));
            Answer page = done(Action.ListPipelines, Json.text(request));
            page.json().get("pipelines").forEach(p -> seen.add(p.get("name").asString()));
            token = page.json().optional("nextToken").map(JsonNode::asString);
            pages++;
        } while (token.isPresent());
        assertThat(pages).isEqualTo(5);
        assertThat(seen).hasSize(1_003).isSorted().doesNotHaveDuplicates();
        assertThat(done(Action.ListPipelines, "{}").json().get("pipelines")).hasSize(100);
        assertThat(done(Action.ListPipelines, "{\"maxResults\": 1000}").json().get("pipelines"))
                .hasSize(1_000);
    }

    @ParameterizedTest
    @CsvSource({"ListPipelines, pipelines", "ListRuns, runs"})
    void badPagingIsRefused(Action action, String field) {
        refused(action, "{\"maxResults\": 0}", ErrorCode.InvalidRequest, "maxResults");
        refused(action, "{\"maxResults\": 1001}", ErrorCode.InvalidRequest, "maxResults");
        refused(action, "{\"maxResults\": 1.5}", ErrorCode.InvalidRequest, "maxResults");
        refused(action, "{\"maxResults\": \"5\"}", ErrorCode.InvalidRequest, "maxResults");
        refused(action, "{\"nextToken\": \"garbage\"}", ErrorCode.InvalidRequest, "nextToken");
        refused(action, "{\"nextToken\": \"\"}", ErrorCode.InvalidRequest, "nextToken");
        assertThat(done(action, "{\"maxResults\": 1000}").json().get(field)).isEmpty();
    }

    @Test
    void fiftyStartsAtOnceGiveOneRun() throws Exception {
        done(Action.CreatePipeline, GDPR);
        List<Callable<Answer>> same = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            same.add(() -> call(Action.StartRun, "{\"pipelineName\": \"gdpr\", \"clientToken\": \"one\"}"));
        }
        Set<Answer> answers = new HashSet<>(RegistryStoreContract.atOnce(same));
        assertThat(answers).hasSize(1);
        assertThat(answers.iterator().next().status()).isEqualTo(200);
        assertThat(launcher.started).hasSize(1);

        done(Action.CreatePipeline, Json.text(Json.ours(GDPR).put("name", "other")));
        List<Callable<Answer>> different = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String request = "{\"pipelineName\": \"other\", \"clientToken\": \"" + i + "\"}";
            different.add(() -> call(Action.StartRun, request));
        }
        List<Answer> outcomes = RegistryStoreContract.atOnce(different);
        assertThat(outcomes).filteredOn(a -> a.status() == 200).hasSize(1);
        assertThat(outcomes)
                .filteredOn(a -> a.status() == 409 && a.text("code").equals("PipelineBusy"))
                .hasSize(49);
        assertThat(faults).isEmpty();
    }

    @Test
    void aTokenMayDoWhatItsScopesSay() {
        done(Action.CreatePipeline, GDPR);
        String runId = started("gdpr");
        Caller reader = new Caller("alice", Optional.of(Set.of("elt:DescribeRun")));
        assertThat(call(Action.DescribeRun, run(runId), reader).status()).isEqualTo(200);
        for (Action action : Action.values()) {
            if (action != Action.DescribeRun) {
                Answer answer = call(action, "{}", reader);
                assertThat(answer.status()).isEqualTo(403);
                assertThat(answer.text("message")).contains("elt:" + action);
            }
        }
    }
}
