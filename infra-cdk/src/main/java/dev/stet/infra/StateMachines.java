package dev.stet.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.logs.RetentionDays;
import software.amazon.awscdk.services.stepfunctions.DefinitionBody;
import software.amazon.awscdk.services.stepfunctions.LogLevel;
import software.amazon.awscdk.services.stepfunctions.LogOptions;
import software.amazon.awscdk.services.stepfunctions.StateMachine;
import software.constructs.Construct;

/**
 * The two state machines, from the files in {@code statemachine/} as they are, but for the caps that the settings have. A definition that comes from a file gets no grants by itself: a role may call the functions
 * its definition names, read items and write results in staging, and start children of its own.
 */
final class StateMachines extends Construct {
    private static final List<String> COPY =
            List.of("PlanFunction", "CopyFunction", "NextRoundFunction", "FinishRunFunction");
    private static final List<String> COMPACT =
            List.of("PlanCompactionFunction", "CompactFunction", "FinishCompactionFunction");

    private static final Pattern CONCURRENCY = Pattern.compile("\"MaxConcurrency\": [0-9]+");

    private final StateMachine copy;
    private final StateMachine compact;

    StateMachines(
            Construct scope,
            String id,
            String folder,
            Names names,
            Functions functions,
            Grants grants,
            Settings.Workers workers) {
        super(scope, id);
        List<Grant> own = grants.itemsAndResults();
        Role compactRole = role("CompactRole");
        Grant.give(compactRole, Grant.all(children(names, names.compact(), called(COMPACT, functions)), own));
        compact = machine(
                "Compact",
                names.compact(),
                definition(folder + "/compact.asl.json", workers.land()),
                compactRole,
                arns(COMPACT, functions));

        Role copyRole = role("CopyRole");
        Grant.give(
                copyRole,
                Grant.all(children(names, names.copy(), called(COPY, functions)), own, startsCompaction(names)));
        Map<String, String> substitutions = new HashMap<>(arns(COPY, functions));
        substitutions.put("CompactStateMachine", names.arn(names.compact()));
        copy = machine(
                "Copy", names.copy(), definition(folder + "/copy.asl.json", workers.copy()), copyRole, substitutions);
        copy.getNode().addDependency(compact);
    }

    /**
     * Names that are fixed before the machines are made: a machine's role names the machine, whose children it starts.
     *
     * @param copy name of the run's machine
     * @param compact name of the compaction's
     */
    record Names(Stack stack, String copy, String compact) {
        String arn(String name) {
            return "arn:%s:states:%s:%s:stateMachine:%s"
                    .formatted(stack.getPartition(), stack.getRegion(), stack.getAccount(), name);
        }

        /** All executions of a machine. */
        String executions(String name) {
            return execution(name) + ":*";
        }

        /** All children of a machine's maps. */
        String children(String name) {
            return execution(name) + "/*";
        }

        private String execution(String name) {
            return "arn:%s:states:%s:%s:execution:%s"
                    .formatted(stack.getPartition(), stack.getRegion(), stack.getAccount(), name);
        }

        /** The rule by which the service hears that a nested execution has ended. */
        String nestedRule() {
            return "arn:%s:events:%s:%s:rule/StepFunctionsGetEventsForStepFunctionsExecutionRule"
                    .formatted(stack.getPartition(), stack.getRegion(), stack.getAccount());
        }
    }

    private static Map<String, String> arns(List<String> names, Functions functions) {
        Map<String, String> arns = new HashMap<>();
        names.forEach(n -> arns.put(n, functions.named(n).alias().getFunctionArn()));
        return arns;
    }

    private static List<String> called(List<String> names, Functions functions) {
        return names.stream()
                .map(n -> functions.named(n).alias().getFunctionArn())
                .toList();
    }

    private Role role(String id) {
        return Role.Builder.create(this, id)
                .assumedBy(new ServicePrincipal("states.amazonaws.com"))
                .build();
    }

    /** What a machine with a Distributed Map needs: its functions, and executions of itself as children. */
    private static List<Grant> children(Names names, String machine, List<String> functions) {
        return List.of(
                Grant.allow("CallFunctions", functions, "lambda:InvokeFunction"),
                Grant.allow("StartChildren", List.of(names.arn(machine)), "states:StartExecution"),
                Grant.allow(
                                "FollowChildren",
                                List.of(names.executions(machine), names.children(machine)),
                                "states:DescribeExecution",
                                "states:StopExecution")
                        .because(Map.of(
                                names.executions(machine),
                                "Executions of this one machine; their names come with each run.",
                                names.children(machine),
                                "Children of this one machine's maps; their names come with each run.")));
    }

    private static List<Grant> startsCompaction(Names names) {
        return List.of(
                Grant.allow("StartCompaction", List.of(names.arn(names.compact())), "states:StartExecution"),
                Grant.allow(
                                "FollowCompaction",
                                List.of(names.executions(names.compact())),
                                "states:DescribeExecution",
                                "states:StopExecution")
                        .because(Map.of(
                                names.executions(names.compact()),
                                "Executions of this one machine; their names come with each run.")),
                Grant.allow(
                        "HearOfCompaction",
                        List.of(names.nestedRule()),
                        "events:PutTargets",
                        "events:PutRule",
                        "events:DescribeRule"));
    }

    /** The definition in a file. @param concurrency most children of its map at once; empty: what the file says */
    private static DefinitionBody definition(String file, Optional<Integer> concurrency) {
        try {
            String text = Files.readString(Path.of(file));
            if (CONCURRENCY.matcher(text).results().count() != 1) {
                throw new IllegalArgumentException("not one map with MaxConcurrency: " + file);
            }
            return DefinitionBody.fromString(concurrency
                    .map(n -> CONCURRENCY.matcher(text).replaceFirst("\"MaxConcurrency\": " + n))
                    .orElse(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private StateMachine machine(
            String id, String name, DefinitionBody definition, Role role, Map<String, String> substitutions) {
        LogGroup logs = LogGroup.Builder.create(this, id + "Logs")
                .logGroupName("/aws/vendedlogs/states/" + name)
                .retention(RetentionDays.ONE_MONTH)
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
        StateMachine machine = StateMachine.Builder.create(this, id)
                .stateMachineName(name)
                .definitionBody(definition)
                .definitionSubstitutions(substitutions)
                .role(role)
                .tracingEnabled(true)
                .logs(LogOptions.builder()
                        .destination(logs)
                        .level(LogLevel.ALL)
                        .includeExecutionData(false)
                        .build())
                .build();
        // CDK has added the statements for logs and traces to the role just now.
        Grant.excuse(
                role,
                Map.of(
                        "*",
                        "Delivery of logs (logs:*LogDelivery, resource policies) and traces (xray:Put*, xray:GetSampling*): these actions know no resources."));
        return machine;
    }

    StateMachine copy() {
        return copy;
    }

    StateMachine compact() {
        return compact;
    }
}
