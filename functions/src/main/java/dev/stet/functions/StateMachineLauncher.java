package dev.stet.functions;

import dev.stet.registry.Json;
import dev.stet.registry.PipelineDefinition;
import dev.stet.registry.RegistryException;
import dev.stet.registry.Run;
import dev.stet.registry.RunLauncher;
import java.io.IOException;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionResponse;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;
import software.amazon.awssdk.services.sfn.model.ExecutionDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;

/**
 * Runs on AWS: a run is an execution of the state machine that has the run's name, so it is started once however often it is asked for. A run is stopped by
 * its row, which the workers look at; the execution ends by itself.
 */
public final class StateMachineLauncher implements RunLauncher {
    private final SfnClient client;
    private final String stateMachine;

    /** @param stateMachine its ARN */
    public StateMachineLauncher(SfnClient client, String stateMachine) {
        this.client = client;
        this.stateMachine = stateMachine;
    }

    @Override
    public void check(PipelineDefinition definition) throws RegistryException {
        if (!definition.isS3Only()) {
            throw RegistryException.invalid(
                    "source", "source, sink: a directory is of one machine; here both are s3://BUCKET/PREFIX");
        }
    }

    @Override
    public void start(Run run) throws IOException {
        try {
            var _ = client.startExecution(r -> r.stateMachineArn(stateMachine)
                    .name(run.runId())
                    .input(Json.text(Json.object().put("runId", run.runId()))));
        } catch (ExecutionAlreadyExistsException e) {
            // By this very call, whose answer was lost: no other run has the name.
        } catch (SdkException e) {
            throw new IOException("the state machine could not be started: " + e.getMessage(), e);
        }
    }

    @Override
    public void startAgain(Run run) throws IOException {
        start(run);
    }

    @Override
    public Optional<String> lost(Run run) throws IOException {
        try {
            DescribeExecutionResponse execution =
                    client.describeExecution(r -> r.executionArn(executionArn(run.runId())));
            if (execution.status() == ExecutionStatus.RUNNING
                    || execution.status() == ExecutionStatus.PENDING_REDRIVE) {
                return Optional.empty();
            }
            String cause = Optional.ofNullable(execution.cause())
                    .filter(c -> !c.isBlank())
                    .map(c -> ": " + c.lines().findFirst().orElse(""))
                    .orElse("");
            return Optional.of(
                    "its execution ended " + execution.statusAsString() + cause + "; the next run goes on from there");
        } catch (ExecutionDoesNotExistException e) {
            return Optional.empty(); // being started, or started by a call that is repeated
        } catch (SdkException e) {
            return Optional.empty(); // nothing is certain; the next look may tell
        }
    }

    /** {@code …:stateMachine:NAME} has the executions {@code …:execution:NAME:ID}. */
    private String executionArn(String runId) {
        return stateMachine.replace(":stateMachine:", ":execution:") + ":" + runId;
    }
}
