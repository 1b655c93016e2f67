package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Functions, and who calls them by what name. */
final class FunctionsTest {
    private final Template stack = Synthesis.template(Synthesis.PLAIN);

    @Test
    void everyFunctionIsJava25OnArmWithSnapStartOnItsPublishedVersion() {
        Map<String, JsonNode> functions = stack.properties("AWS::Lambda::Function");
        assertThat(functions).hasSize(13);
        functions.forEach((id, f) -> {
            assertThat(f.path("Runtime").stringValue("")).as(id).isEqualTo("java25");
            assertThat(f.path("Architectures").toString()).as(id).isEqualTo("[\"arm64\"]");
            assertThat(f.path("SnapStart").path("ApplyOn").stringValue(""))
                    .as(id)
                    .isEqualTo("PublishedVersions");
            assertThat(f.path("MemorySize").intValue(0)).as(id).isGreaterThanOrEqualTo(1_769);
            assertThat(f.path("Timeout").intValue(0)).as(id).isBetween(1, 900);
            assertThat(f.path("Handler").stringValue(""))
                    .as(id)
                    .matches("dev\\.stet\\.functions\\.\\w+Handler::handleRequest");
        });
        assertThat(handlers()).hasSize(13);
    }

    private Set<String> handlers() {
        Set<String> handlers = new TreeSet<>();
        stack.properties("AWS::Lambda::Function")
                .values()
                .forEach(f -> handlers.add(f.path("Handler").stringValue("")));
        return handlers;
    }

    @Test
    void everyFunctionHasAVersionAndAnAliasOfItAndKeepsItsLogsForAMonth() {
        int functions = stack.properties("AWS::Lambda::Function").size();
        Map<String, JsonNode> versions = stack.properties("AWS::Lambda::Version");
        Map<String, JsonNode> aliases = stack.properties("AWS::Lambda::Alias");
        assertThat(versions).hasSize(functions);
        assertThat(aliases).hasSize(functions);
        Set<String> called = new TreeSet<>();
        aliases.forEach((id, alias) -> {
            String version =
                    alias.path("FunctionVersion").path("Fn::GetAtt").get(0).stringValue("");
            assertThat(versions).as(id).containsKey(version);
            assertThat(versions.get(version).path("FunctionName")).as(id).isEqualTo(alias.path("FunctionName"));
            assertThat(alias.path("Name").stringValue("")).isEqualTo("live");
            called.add(alias.path("FunctionName").toString());
        });
        assertThat(called).hasSize(functions);
        Map<String, JsonNode> logs = stack.properties("AWS::Logs::LogGroup");
        stack.properties("AWS::Lambda::Function").forEach((id, f) -> {
            String group = f.path("LoggingConfig").path("LogGroup").path("Ref").stringValue("");
            assertThat(logs).as(id).containsKey(group);
        });
        logs.forEach((id, group) ->
                assertThat(group.path("RetentionInDays").intValue(0)).as(id).isBetween(30, 90));
    }

    @Test
    void everybodyCallsTheAlias() {
        Set<String> aliases = stack.properties("AWS::Lambda::Alias").keySet();
        List<String> calls = new ArrayList<>();
        stack.properties("AWS::StepFunctions::StateMachine")
                .values()
                .forEach(m -> m.path("DefinitionSubstitutions").properties().forEach(s -> {
                    if (s.getKey().endsWith("Function")) {
                        calls.add(s.getValue().path("Ref").stringValue(s.toString()));
                    }
                }));
        assertThat(calls).as("state machines").hasSize(7);
        stack.properties("AWS::Scheduler::Schedule")
                .values()
                .forEach(s -> calls.add(s.path("Target").path("Arn").path("Ref").stringValue(s.toString())));
        JsonNode queue = stack.only("AWS::Lambda::EventSourceMapping").path("Properties");
        // FUNCTION:ALIAS, taken from the alias's ARN.
        assertThat(Template.text(queue.path("FunctionName"))).endsWith(":live");
        calls.add(queue.path("FunctionName").findValue("Ref").stringValue(""));
        calls.add(stack.only("AWS::ApiGatewayV2::Integration")
                .path("Properties")
                .path("IntegrationUri")
                .path("Ref")
                .stringValue(""));
        calls.add(token().path("Value").path("Ref").stringValue(""));
        calls.add(output("LagFunction").path("Value").path("Ref").stringValue(""));
        calls.add(endOfRuns().path("Targets").get(0).path("Arn").path("Ref").stringValue(""));
        assertThat(calls).hasSize(14).allMatch(aliases::contains);
        stack.properties("AWS::Lambda::Permission")
                .forEach((id, p) -> assertThat(aliases)
                        .as(id)
                        .contains(p.path("FunctionName").path("Ref").stringValue("")));
        stack.statements().stream()
                .filter(s -> s.actions().contains("lambda:InvokeFunction"))
                .flatMap(s -> s.resources().stream())
                .forEach(r -> assertThat(aliases).contains(r.replaceAll("[<>]", "")));
    }

    private JsonNode token() {
        return output("EltPipelineServiceToken");
    }

    private JsonNode output(String name) {
        return stack.json().path("Outputs").path(name);
    }

    private JsonNode endOfRuns() {
        return stack.rule("Step Functions Execution Status Change");
    }

    @Test
    void aRunWhoseExecutionEndsWithoutAWordIsEnded() {
        JsonNode rule = endOfRuns();
        assertThat(rule.path("State").stringValue("")).isEqualTo("ENABLED");
        JsonNode pattern = rule.path("EventPattern");
        assertThat(pattern.path("source").toString()).isEqualTo("[\"aws.states\"]");
        assertThat(pattern.path("detail").path("status").toString())
                .isEqualTo("[\"ABORTED\",\"FAILED\",\"TIMED_OUT\"]");
        String machine = pattern.path("detail")
                .path("stateMachineArn")
                .get(0)
                .path("Ref")
                .stringValue("");
        assertThat(stack.properties("AWS::StepFunctions::StateMachine")
                        .get(machine)
                        .path("StateMachineName")
                        .stringValue(""))
                .isEqualTo("Stet-copy");
        String finish = stack.properties("AWS::Lambda::Function").entrySet().stream()
                .filter(f -> f.getValue().path("Handler").stringValue("").contains("FinishRunHandler"))
                .findFirst()
                .orElseThrow()
                .getKey();
        String alias = rule.path("Targets").get(0).path("Arn").path("Ref").stringValue("");
        assertThat(stack.properties("AWS::Lambda::Alias")
                        .get(alias)
                        .path("FunctionName")
                        .path("Ref")
                        .stringValue(""))
                .isEqualTo(finish);
    }

    @Test
    void theServiceTokenIsExported() {
        assertThat(token().path("Export").path("Name").stringValue(""))
                .isEqualTo(EltPipeline.export("Stet"))
                .contains("EltPipeline");
    }

    @Test
    void theDefinitionsGetAFunctionForEveryPlaceholderAndNoOther() {
        stack.properties("AWS::StepFunctions::StateMachine").forEach((id, machine) -> {
            Set<String> given = new TreeSet<>();
            machine.path("DefinitionSubstitutions").properties().forEach(s -> given.add(s.getKey()));
            assertThat(given)
                    .as(id)
                    .isEqualTo(Definitions.placeholders(
                            machine.path("StateMachineName").stringValue("").replace("Stet-", "")));
        });
    }

    @Test
    void workersAreCappedWhenAskedAndNoMapStartsMoreThanItsCap() {
        Template full = Synthesis.template(Synthesis.FULL);
        assertThat(caps(full)).isEqualTo(Map.of("CopyHandler", 500, "CompactHandler", 60));
        assertThat(Definitions.concurrency(full)).isEqualTo(Map.of("Everything-copy", 500, "Everything-compact", 60));
    }

    @Test
    void withoutCapsTheDefinitionsSayHowManyWorkersThereAre() {
        assertThat(caps(stack)).isEmpty();
        assertThat(Definitions.concurrency(stack)).isEqualTo(Map.of("Stet-copy", 800, "Stet-compact", 400));
    }

    private static Map<String, Integer> caps(Template template) {
        Map<String, Integer> caps = new TreeMap<>();
        template.properties("AWS::Lambda::Function").values().stream()
                .filter(f -> f.has("ReservedConcurrentExecutions"))
                .forEach(f -> caps.put(
                        f.path("Handler").stringValue("").replaceAll("^dev\\.stet\\.functions\\.|::.*$", ""),
                        f.path("ReservedConcurrentExecutions").intValue(0)));
        return caps;
    }

    @Test
    void theDefinitionsAreThoseOfTheRepositoryButForTheCaps() throws Exception {
        for (String name : List.of("copy", "compact")) {
            assertThat(Definitions.deployed(stack, "Stet-" + name))
                    .isEqualTo(Definitions.file(name))
                    .hasToString(Definitions.deployed(Synthesis.template(Synthesis.FULL), "Everything-" + name)
                            .toString()
                            .replaceAll(
                                    "\"MaxConcurrency\":(500|60)",
                                    name.equals("copy") ? "\"MaxConcurrency\":800" : "\"MaxConcurrency\":400"));
        }
    }
}
