package dev.stet.infra;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.lambda.Code;
import software.constructs.Construct;

/** Everything that {@code cdk deploy} makes, put together. */
final class StetStack extends Stack {
    /**
     * Makes the stack, by the name that the settings have.
     *
     * @param functionsJar what all functions run
     * @param definitions folder of the state machines' definitions
     */
    StetStack(Construct scope, StackProps props, Settings settings, String functionsJar, String definitions) {
        super(scope, settings.stackName(), props);
        String id = settings.stackName();
        // CDK names a role as a dependency where a reference has said so already. Told to whoever lints the template.
        getTemplateOptions()
                .setMetadata(Map.of("cfn-lint", Map.of("config", Map.of("ignore_checks", List.of("W3005")))));
        Ledger ledger = new Ledger(this, "Ledger", settings.storage());
        Staging staging = new Staging(this, "Staging", settings);
        Grants grants = new Grants(this, settings, ledger, staging);
        StateMachines.Names names = new StateMachines.Names(this, id + "-copy", id + "-compact");
        Map<String, String> environment = Map.of(
                "STET_TABLE",
                ledger.table().getTableName(),
                "STET_STAGING",
                "s3://" + staging.bucket().getBucketName() + "/",
                "STET_METRICS_NAMESPACE",
                settings.metrics());
        Code code = Code.fromAsset(functionsJar);

        Functions functions =
                new Functions(this, "Functions", settings, grants, code, environment, names.arn(names.compact()));
        StateMachines machines =
                new StateMachines(this, "StateMachines", definitions, names, functions, grants, settings.workers());
        Notifications notifications = new Notifications(this, "Notifications", settings, functions.event());
        var _ = new EndsOfRuns(this, "EndsOfRuns", machines, functions.finishRun());
        var _ = new Schedules(this, "Schedules", functions.schedule(), functions.sweep());

        Map<String, String> starts = new HashMap<>(environment);
        starts.put("STET_RUN_STATE_MACHINE", names.arn(names.copy()));
        StetFunction registry = registry(code, grants, names, starts);
        Api api = new Api(this, "Api", settings, registry);
        StetFunction pipelines = pipelines(code, grants, names, starts);
        var _ = new Alarms(this, "Alarms", settings, machines, notifications, functions);

        api.outputs().forEach((name, value) -> output(name, value, Optional.empty()));
        output("Table", ledger.table().getTableName(), Optional.empty());
        output("LagFunction", functions.lag().alias().getFunctionArn(), Optional.empty());
        output("StagingBucket", staging.bucket().getBucketName(), Optional.empty());
        output("EltPipelineServiceToken", pipelines.alias().getFunctionArn(), Optional.of(EltPipeline.export(id)));
    }

    private StetFunction registry(
            Code code, Grants grants, StateMachines.Names names, Map<String, String> environment) {
        return new StetFunction(
                this,
                "Registry",
                code,
                new StetFunction.Shape("RegistryHandler", 1_769, 512, Duration.seconds(29), Optional.empty()),
                environment,
                Grant.all(
                        grants.rows("Get", "Query", "Update", "Delete"),
                        List.of(Grant.allow("StartRun", List.of(names.arn(names.copy())), "states:StartExecution")),
                        lookAtRuns(names)));
    }

    /** The function behind {@code Custom::EltPipeline}; CloudFormation calls it as whoever deploys a pipeline. */
    private StetFunction pipelines(
            Code code, Grants grants, StateMachines.Names names, Map<String, String> environment) {
        return new StetFunction(
                this,
                "EltPipelines",
                code,
                new StetFunction.Shape("EltPipelineHandler", 1_769, 512, Duration.minutes(1), Optional.empty()),
                environment,
                Grant.all(grants.rows("Get", "Update", "Delete"), lookAtRuns(names)));
    }

    /** Whether a run that has not ended still can. */
    private static List<Grant> lookAtRuns(StateMachines.Names names) {
        return List.of(Grant.allow("LookAtRuns", List.of(names.executions(names.copy())), "states:DescribeExecution")
                .because(Map.of(
                        names.executions(names.copy()), "Executions of this one machine; each is named by its run.")));
    }

    private void output(String name, String value, Optional<String> export) {
        CfnOutput.Builder builder = CfnOutput.Builder.create(this, name).value(value);
        export.ifPresent(builder::exportName);
        var _ = builder.build();
    }
}
