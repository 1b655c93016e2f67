package dev.stet.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/**
 * What the roles of a template are used for: functions for the requests that they were recorded with, and for the key of the bucket that a request is for; state machines for
 * what their definitions say; schedules for their targets; Lambda for logs and for the queue.
 */
final class Needs {
    private static final String ANY = "/any/key";
    private static final String NESTED = "StepFunctionsGetEventsForStepFunctionsExecutionRule";

    private final Template template;
    private final List<Need> found = new ArrayList<>();
    private final String table;
    private final String staging;
    private final String states;

    private Needs(Template template) {
        this.template = template;
        this.table = "<" + id("AWS::DynamoDB::Table") + ".Arn>";
        this.staging = "<" + id("AWS::S3::Bucket") + ".Arn>";
        this.states = "arn:<AWS::Partition>:states:eu-central-1:111122223333:";
    }

    private String id(String type) {
        return template.resources(type).keySet().iterator().next();
    }

    /** Of {@link Synthesis#FULL}. */
    static List<Need> of(Template template, List<Requests> recorded) {
        Needs needs = new Needs(template);
        template.properties("AWS::Lambda::Function").values().forEach(f -> needs.function(f, recorded));
        template.properties("AWS::StepFunctions::StateMachine").values().forEach(needs::machine);
        template.properties("AWS::Scheduler::Schedule").values().forEach(s -> {
            JsonNode target = s.path("Target");
            needs.add(
                    role(target.path("RoleArn")),
                    "lambda:InvokeFunction",
                    Template.text(target.path("Arn")),
                    "the schedules call functions");
        });
        template.properties("AWS::Lambda::EventSourceMapping").values().forEach(needs::queue);
        return List.copyOf(needs.found);
    }

    private void add(String role, String action, String arn, String why) {
        found.add(new Need(role, action, arn, why));
    }

    private static String role(JsonNode arn) {
        return arn.path("Fn::GetAtt").get(0).stringValue("");
    }

    /** The class that a function runs. */
    static String handler(JsonNode function) {
        return function.path("Handler").stringValue("").replaceAll("^dev\\.stet\\.functions\\.|::.*$", "");
    }

    private void function(JsonNode function, List<Requests> recorded) {
        String role = role(function.path("Role"));
        String logs = "<"
                + function.path("LoggingConfig").path("LogGroup").path("Ref").stringValue("") + ".Arn>";
        add(role, "logs:CreateLogStream", logs, "Lambda writes its log");
        add(role, "logs:PutLogEvents", logs, "Lambda writes its log");
        for (Requests r : recorded) {
            if (r.handler().equals(handler(function))) {
                arns(r).forEach(arn -> add(role, r.action(), arn, r.operation()));
                keys(r, role);
            }
        }
    }

    private List<String> arns(Requests request) {
        String name = request.resource().replace("/*", "");
        String object = request.resource().endsWith("/*") ? ANY : "";
        return switch (name) {
            case "source" ->
                List.of("arn:<AWS::Partition>:s3:::devices" + object, "arn:<AWS::Partition>:s3:::gates" + object);
            case "sink" ->
                List.of("arn:<AWS::Partition>:s3:::lake" + object, "arn:<AWS::Partition>:s3:::lake-eu" + object);
            case "inventory" -> List.of("arn:<AWS::Partition>:s3:::inventories" + object);
            case "staging" -> List.of(staging + object);
            case "table" -> List.of(table);
            default -> {
                String[] parts = name.split(":", -1);
                String machine = states + parts[0] + ":" + Synthesis.FULL + "-" + parts[1];
                yield List.of(parts[0].equals("execution") ? machine + ":01JNG4W8Q0ZC6V5T9Y3KXHM2AE" : machine);
            }
        };
    }

    /** S3 uses the bucket's key in the caller's name: to open what is read, to close what is written, and to open parts again to put them together. */
    private void keys(Requests request, String role) {
        BiConsumer<String, String> use =
                (key, action) -> add(role, action, Synthesis.key(key), "S3, for " + request.operation());
        List<String> keys = switch (request.resource()) {
            case "source/*", "inventory/*" -> List.of("source");
            case "sink/*" -> List.of("sink", "sink-eu");
            case "staging/*" -> List.of("staging");
            default -> List.of();
        };
        for (String key : keys) {
            switch (request.action()) {
                case "s3:GetObject" -> use.accept(key, "kms:Decrypt");
                case "s3:PutObject" -> {
                    use.accept(key, "kms:GenerateDataKey");
                    use.accept(key, "kms:Decrypt");
                }
                default -> {}
            }
        }
    }

    private void queue(JsonNode mapping) {
        String function = template.properties("AWS::Lambda::Alias")
                .get(mapping.path("FunctionName").findValue("Ref").stringValue(""))
                .path("FunctionName")
                .path("Ref")
                .stringValue("");
        String role =
                role(template.properties("AWS::Lambda::Function").get(function).path("Role"));
        String queue = Template.text(mapping.path("EventSourceArn"));
        for (String action : List.of(
                "ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "GetQueueAttributes", "GetQueueUrl")) {
            add(role, "sqs:" + action, queue, "Lambda empties the queue for it");
        }
    }

    private void machine(JsonNode machine) {
        String role = role(machine.path("RoleArn"));
        String name = machine.path("StateMachineName").stringValue("");
        for (JsonNode state : Definitions.states(Definitions.deployed(machine))) {
            switch (state.path("Type").stringValue("")) {
                case "Task" -> task(machine, role, state);
                case "Map" -> map(role, name, state);
                default -> {}
            }
        }
        if (!machine.path("LoggingConfiguration")
                .path("Level")
                .stringValue("OFF")
                .equals("OFF")) {
            for (String action : List.of(
                    "CreateLogDelivery",
                    "GetLogDelivery",
                    "UpdateLogDelivery",
                    "DeleteLogDelivery",
                    "ListLogDeliveries",
                    "PutResourcePolicy",
                    "DescribeResourcePolicies",
                    "DescribeLogGroups")) {
                add(role, "logs:" + action, "any", "delivery of logs; these actions know no resources");
            }
        }
        if (machine.path("TracingConfiguration").path("Enabled").booleanValue(false)) {
            for (String action :
                    List.of("PutTraceSegments", "PutTelemetryRecords", "GetSamplingRules", "GetSamplingTargets")) {
                add(role, "xray:" + action, "any", "traces; these actions know no resources");
            }
        }
    }

    private void task(JsonNode machine, String role, JsonNode state) {
        JsonNode given = state.path("Parameters");
        switch (state.path("Resource").stringValue("")) {
            case "arn:aws:states:::lambda:invoke" ->
                add(
                        role,
                        "lambda:InvokeFunction",
                        substituted(machine, given.path("FunctionName")),
                        "the states that call functions");
            case "arn:aws:states:::states:startExecution.sync:2" -> {
                String arn = substituted(machine, given.path("StateMachineArn"));
                add(role, "states:StartExecution", arn, "startExecution.sync starts it");
                String execution = arn.replace(":stateMachine:", ":execution:") + ":any";
                add(
                        role,
                        "states:DescribeExecution",
                        execution,
                        "startExecution.sync waits for it and stops it with the run");
                add(
                        role,
                        "states:StopExecution",
                        execution,
                        "startExecution.sync waits for it and stops it with the run");
                String rule = "arn:<AWS::Partition>:events:eu-central-1:111122223333:rule/" + NESTED;
                for (String action : List.of("PutTargets", "PutRule", "DescribeRule")) {
                    add(
                            role,
                            "events:" + action,
                            rule,
                            "startExecution.sync hears of the end by this rule of the service");
                }
            }
            default -> throw new AssertionError("not understood: " + state);
        }
    }

    private static String substituted(JsonNode machine, JsonNode placeholder) {
        return Template.text(machine.path("DefinitionSubstitutions")
                .path(placeholder.stringValue("").replaceAll("[${}]", "")));
    }

    private void map(String role, String name, JsonNode state) {
        if (!state.at("/ItemProcessor/ProcessorConfig/Mode").stringValue("").equals("DISTRIBUTED")) {
            return;
        }
        add(
                role,
                "states:StartExecution",
                states + "stateMachine:" + name,
                "a Distributed Map starts its children as executions of its own machine");
        for (String execution : List.of(":any", "/Label:any")) {
            for (String action : List.of("states:DescribeExecution", "states:StopExecution")) {
                add(
                        role,
                        action,
                        states + "execution:" + name + execution,
                        "it waits for them and stops them with the run");
            }
        }
        if (state.at("/ItemReader/Resource").stringValue("").equals("arn:aws:states:::s3:getObject")) {
            add(role, "s3:GetObject", staging + ANY, "ItemReader reads the items");
            add(role, "kms:Decrypt", Synthesis.key("staging"), "S3, for ItemReader");
        }
        if (state.at("/ResultWriter/Resource").stringValue("").equals("arn:aws:states:::s3:putObject")) {
            for (String action : List.of("s3:PutObject", "s3:ListMultipartUploadParts", "s3:AbortMultipartUpload")) {
                add(role, action, staging + ANY, "ResultWriter writes the results, large ones in parts");
            }
            add(role, "kms:GenerateDataKey", Synthesis.key("staging"), "S3, for ResultWriter");
        }
    }
}
