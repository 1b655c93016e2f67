package com.example.pipelines;

import dev.stet.infra.EltPipeline;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.App;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Stack;

/** Two pipelines as code, in a stack of their own. */
public final class PipelinesApp {
    private PipelinesApp() {}

    public static void main(String[] args) {
        App app = new App();
        Stack stack = new Stack(app, "Pipelines");

        EltPipeline devices = EltPipeline.Builder.create(stack, "Devices")
                .name("devices")
                .source("s3://devices/raw/")
                .sink("s3://lake/landing")
                .transform(Map.of(
                        "namespaceFields", "event_type",
                        "batchPartitionFields", "detail.tenant_id,truck.tenant_id",
                        "partitionName", "tenant_id",
                        "batchTimeFields", "time,system_datetime,date",
                        "timePartitionPrefix", "p_"))
                .build();
        EltPipeline.Builder.create(stack, "Gates")
                .name("gates")
                .source("s3://devices/gates/")
                .sink("s3://lake/gates")
                .transform(Map.of("namespace", "gate", "batchTimeFields", List.of("opened_at", "time")))
                .build();

        CfnOutput.Builder.create(stack, "Revision").value(devices.revision()).build();
        app.synth();
    }
}
