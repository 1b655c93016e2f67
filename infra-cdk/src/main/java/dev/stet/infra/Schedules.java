package dev.stet.infra;

import java.util.List;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.scheduler.CfnSchedule;
import software.constructs.Construct;

/** What happens by the clock: buffers that are due are landed, garbage is swept. */
final class Schedules extends Construct {
    Schedules(Construct scope, String id, StetFunction compaction, StetFunction sweep) {
        super(scope, id);
        Role role = Role.Builder.create(this, "Role")
                .assumedBy(new ServicePrincipal("scheduler.amazonaws.com"))
                .build();
        Grant.give(
                role,
                List.of(Grant.allow(
                        "CallFunctions",
                        List.of(
                                compaction.alias().getFunctionArn(),
                                sweep.alias().getFunctionArn()),
                        "lambda:InvokeFunction")));
        schedule("Compaction", "rate(15 minutes)", compaction, role);
        schedule("Sweep", "rate(1 hour)", sweep, role);
    }

    private void schedule(String id, String rate, StetFunction function, Role role) {
        var _ = CfnSchedule.Builder.create(this, id)
                .scheduleExpression(rate)
                .flexibleTimeWindow(CfnSchedule.FlexibleTimeWindowProperty.builder()
                        .mode("FLEXIBLE")
                        .maximumWindowInMinutes(5)
                        .build())
                .target(CfnSchedule.TargetProperty.builder()
                        .arn(function.alias().getFunctionArn())
                        .roleArn(role.getRoleArn())
                        .input("{}")
                        .retryPolicy(CfnSchedule.RetryPolicyProperty.builder()
                                .maximumEventAgeInSeconds(900)
                                .maximumRetryAttempts(3)
                                .build())
                        .build())
                .build();
    }
}
