package dev.stet.infra;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * The two state machines, from the files in {@code statemachine/} as they are. A definition that comes from a file gets no grants by itself: a role may call the functions
 * its definition names, read items and write results in staging, and start children of its own.
 */
final class StateMachines extends Construct {
    private static final List<String> COPY = List.of("PlanFunction", "CopyFunction", "NextRoundFunction", "FinishRunFunction");
    private static final List<String> COMPACT = List.of(
            "PlanCompactionFunction", "CompactFunction", "NextRoundFunction", "FinishCompactionFunction");

    private final StateMachine copy;
    private final StateMachine compact;

    StateMachines(Construct scope, String id, String folder, Names names, Functions functions, Staging staging) {
        super(scope, id);
        Role compactRole = role("CompactRole", COMPACT, names.compact(), functions, staging);
        compact = machine("Compact", names.compact(), folder + "/compact.asl.json", compactRole, arns(COMPACT, functions));

        Role copyRole = role("CopyRole", COPY, names.copy(), functions, staging);
        startsCompaction(copyRole, names);
        Map<String, String> substitutions = new HashMap<>(arns(COPY, functions));
        substitutions.put("CompactStateMachine", names.arn(names.compact()));
        copy = machine("Copy", names.copy(), folder + "/copy.asl.json", copyRole, substitutions);
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

        /** Executions of a machine, and those of its maps' children. */
        List<String> executions(String name) {
            return List.of(
                    "arn:%s:states:%s:%s:execution:%s:*".formatted(stack.getPartition(), stack.getRegion(), stack.getAccount(), name),
                    "arn:%s:states:%s:%s:execution:%s/*".formatted(stack.getPartition(), stack.getRegion(), stack.getAccount(), name));
        }

        /** The rule by which the service hears that a nested execution has ended. */
        String nestedRule() {
            return "arn:%s:events:%s:%s:rule/StepFunctionsGetEventsForStepFunctionsExecutionRule"
                    .formatted(stack.getPartition(), stack.getRegion(), stack.getAccount());
        }
    }

    private static Map<String, String> arns(List<String> names, Functions functions) {
        Map<String, String> arns = new HashMap<>();
        names.forEach(n -> arns.put(n, functions.named().get(n).alias().getFunctionArn()));
        return arns;
    }

    private Role role(String id, List<String> called, String machine, Functions functions, Staging staging) {
        Names names = new Names(Stack.of(this), machine, machine);
        Role role = Role.Builder.create(this, id)
                .assumedBy(new ServicePrincipal("states.amazonaws.com"))
                .build();
        List.of(
                        Grants.allow(
                                "CallFunctions",
                                called.stream()
                                        .map(n -> functions.named().get(n).alias().getFunctionArn())
                                        .toList(),
                                "lambda:InvokeFunction"),
                        Grants.allow("StartChildren", List.of(names.arn(machine)), "states:StartExecution"),
                        Grants.allow(
                                "FollowChildren",
                                names.executions(machine),
                                "states:DescribeExecution",
                                "states:StopExecution"),
                        Grants.allow(
                                "ItemsAndResults",
                                List.of(staging.bucket().getBucketArn() + "/*"),
                                "s3:GetObject",
                                "s3:PutObject"))
                .forEach(role::addToPrincipalPolicy);
        return role;
    }

    private static void startsCompaction(Role role, Names names) {
        List.of(
                        Grants.allow("StartCompaction", List.of(names.arn(names.compact())), "states:StartExecution"),
                        Grants.allow(
                                "FollowCompaction",
                                List.of(names.executions(names.compact()).get(0)),
                                "states:DescribeExecution",
                                "states:StopExecution"),
                        Grants.allow(
                                "HearOfCompaction",
                                List.of(names.nestedRule()),
                                "events:PutTargets",
                                "events:PutRule",
                                "events:DescribeRule"))
                .forEach(role::addToPrincipalPolicy);
    }

    private StateMachine machine(String id, String name, String file, Role role, Map<String, String> substitutions) {
        LogGroup logs = LogGroup.Builder.create(this, id + "Logs")
                .logGroupName("/aws/vendedlogs/states/" + name)
                .retention(RetentionDays.ONE_MONTH)
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
        return StateMachine.Builder.create(this, id)
                .stateMachineName(name)
                .definitionBody(DefinitionBody.fromFile(file))
                .definitionSubstitutions(substitutions)
                .role(role)
                .tracingEnabled(true)
                .logs(LogOptions.builder()
                        .destination(logs)
                        .level(LogLevel.ALL)
                        .includeExecutionData(false)
                        .build())
                .build();
    }

    StateMachine copy() {
        return copy;
    }

    StateMachine compact() {
        return compact;
    }
}
