package dev.stet.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ContractTest {
    private static final Contract CONTRACT = Contract.load();
    private static final ObjectNode DOCUMENT = CONTRACT.document();

    @Test
    void thePathsAreTheActionsTwice() {
        List<String> expected = new ArrayList<>();
        for (Action action : Action.values()) {
            expected.add("/" + action);
            expected.add("/jwt/" + action);
        }
        assertThat(DOCUMENT.get("openapi").asString()).isEqualTo("3.1.0");
        assertThat(DOCUMENT.get("paths").propertyNames()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void bothPathsOfAnActionDoTheSameUnderOtherProofs(Action action) {
        ObjectNode iam = operation("/" + action);
        ObjectNode jwt = operation("/jwt/" + action);
        assertThat(iam.get("security").toString()).isEqualTo("[{\"sigv4\":[]}]");
        assertThat(iam.at("/x-amazon-apigateway-auth/type").asString()).isEqualTo("AWS_IAM");
        assertThat(jwt.get("security").toString()).isEqualTo("[{\"jwt\":[\"" + action.scope() + "\"]}]");
        iam.remove(List.of("security", "operationId", "x-amazon-apigateway-auth"));
        jwt.remove(List.of("security", "operationId"));
        assertThat(jwt).isEqualTo(iam);
        assertThat(iam.get("responses").propertyNames()).contains("200", "400", "401", "403", "429", "500");
        assertThat(iam.at("/requestBody/content/application~1json/schema/$ref").asString())
                .isEqualTo("#/components/schemas/" + action + "Request");
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void theExamplesFitTheirSchemas(Action action) {
        ObjectNode operation = operation("/" + action);
        JsonNode request = operation.at("/requestBody/content/application~1json/example");
        assertThatCode(() -> CONTRACT.checkRequest(action, (ObjectNode) request))
                .doesNotThrowAnyException();
        String answer = operation
                .at("/responses/200/content/application~1json/schema/$ref")
                .asString();
        assertThat(CONTRACT.errors(
                        answer.substring(answer.lastIndexOf('/') + 1),
                        operation.at("/responses/200/content/application~1json/example")))
                .isEmpty();
    }

    @Test
    void everyObjectOfARequestIsClosed() {
        List<String> open = new ArrayList<>();
        for (Action action : Action.values()) {
            assertThat(DOCUMENT.at("/components/schemas/" + action + "Request/additionalProperties")
                            .isBoolean())
                    .isTrue();
        }
        for (Map.Entry<String, JsonNode> schema :
                DOCUMENT.at("/components/schemas").properties()) {
            boolean request = schema.getValue().has("additionalProperties");
            if (request) {
                openObjects(schema.getKey(), schema.getValue(), open);
            }
        }
        assertThat(open)
                .as("maps by namespace are the only ones with free names")
                .containsExactly("Transform.overrides");
    }

    private static void openObjects(String name, JsonNode schema, List<String> open) {
        if (schema.path("type").asString("").equals("object")
                && !schema.path("additionalProperties").toString().equals("false")) {
            open.add(name);
        }
        schema.path("properties").properties().forEach(p -> openObjects(name + "." + p.getKey(), p.getValue(), open));
    }

    @Test
    void errorsAreThoseOfTheCode() {
        TreeSet<String> codes = new TreeSet<>();
        DOCUMENT.at("/components/schemas/Error/properties/code/enum").forEach(c -> codes.add(c.asString()));
        TreeSet<String> expected = new TreeSet<>();
        for (ErrorCode code : ErrorCode.values()) {
            expected.add(code.name());
        }
        assertThat(codes).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CreatePipeline | {\"source\":\"s3://a\",\"sink\":\"s3://b\"}                  | name                 | missing",
                "CreatePipeline | {\"name\":5,\"source\":\"s3://a\",\"sink\":\"s3://b\"}       | name                 | letter or digit",
                "CreatePipeline | {\"name\":\"p\",\"source\":7,\"sink\":\"s3://b\"}            | source               | s3://BUCKET/PREFIX",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"s3://a\",\"sink\":\"s3://b\"}   | transform            | namespaceFields",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"s3://a\",\"sink\":\"s3://b\",\"transform\":{}} | transform | namespaceFields",
                "CreatePipeline | {\"name\":\"p\",\"source\":{\"S3\":{\"s3Bucket\":\"b\",\"x\":1}},\"sink\":\"s3://b\",\"transform\":{\"namespace\":\"n\"}} | source.S3.x | unknown field",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"file://rel\",\"sink\":\"s3://b\",\"transform\":{\"namespace\":\"n\"}} | source | directory",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"s3://\",\"sink\":\"s3://b\",\"transform\":{\"namespace\":\"n\"}} | source | s3://BUCKET",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"s3://a\",\"sink\":\"s3://b\",\"transform\":{\"namespace\":\"n\",\"batchTimeUnit\":\"week\"}} | transform.batchTimeUnit | one of",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"s3://a\",\"sink\":\"s3://b\",\"transform\":{\"namespace\":\"n\",\"flatten_events\":true}} | transform.flatten_events | unknown field",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"s3://a\",\"sink\":\"s3://b\",\"transform\":{\"namespace\":\"n\",\"partitionName\":\"t\"}} | transform.partitionName | one name for each level",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"s3://a\",\"sink\":\"s3://b\",\"type\":\"cdc\",\"transform\":{\"namespace\":\"n\"}} | type | copy",
                "CreatePipeline | {\"name\":\"p\",\"source\":\"postgres://a\",\"sink\":\"s3://b\",\"type\":\"copy\"} | type | copy",
                "ListPipelines  | {\"maxResults\":0}                                           | maxResults           | At most",
                "ListPipelines  | {\"maxResults\":1001}                                        | maxResults           | At most",
                "ListPipelines  | {\"nextToken\":\"garbage\"}                                  | nextToken            | last answer",
                "ListRuns       | {\"nextToken\":\"p.name\"}                                   | nextToken            | last answer",
                "StartRun       | {\"pipelineName\":\"p\",\"pipeline\":\"p\"}                  | pipeline             | unknown field",
                "StartRun       | {\"pipelineName\":\"p\",\"clientToken\":\"\"}                | clientToken          | printable",
                "ReportRun      | {\"runId\":\"r\",\"status\":\"STOPPED\"}                     | status               | SUCCEEDED",
                "DescribeRun    | {\"runId\":\"a/b\"}                                          | runId                | id of a run",
            })
    void whatIsWrongIsNamed(Action action, String request, String field, String help) throws Exception {
        ObjectNode json = Json.parse(request);
        RegistryException refused =
                catchThrowableOfType(RegistryException.class, () -> CONTRACT.checkRequest(action, json));
        assertThat(refused.code()).isEqualTo(ErrorCode.InvalidRequest);
        assertThat(refused.field()).contains(field);
        assertThat(refused.text()).startsWith(field).contains(help);
    }

    private static ObjectNode operation(String path) {
        return (ObjectNode) DOCUMENT.get("paths").get(path).get("post").deepCopy();
    }
}
