package dev.stet.infra;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.events.EventPattern;
import software.amazon.awscdk.services.events.Rule;
import software.amazon.awscdk.services.events.targets.LambdaFunction;
import software.constructs.Construct;

/** A run whose execution was aborted, timed out or failed before it could say so is ended in the registry too. */
final class EndsOfRuns extends Construct {
    EndsOfRuns(Construct scope, String id, StateMachines machines, StetFunction finishRun) {
        super(scope, id);
        var _ = Rule.Builder.create(this, "Rule")
                .eventPattern(EventPattern.builder()
                        .source(List.of("aws.states"))
                        .detailType(List.of("Step Functions Execution Status Change"))
                        .detail(Map.of(
                                "stateMachineArn", List.of(machines.copy().getStateMachineArn()),
                                "status", List.of("ABORTED", "FAILED", "TIMED_OUT")))
                        .build())
                .targets(List.of(LambdaFunction.Builder.create(finishRun.alias())
                        .maxEventAge(Duration.hours(6))
                        .retryAttempts(100)
                        .build()))
                .build();
    }
}
