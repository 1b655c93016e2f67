package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.compact.Buffered;
import dev.stet.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sfn.SfnClient;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts a compaction of each pipeline whose buffers are due, or whose last compaction was left open. Event: the schedule's; {@code {"pipelineName":…}} looks at one.
 * Two schedules at once do no harm.
 */
public final class CompactionScheduleHandler implements RequestStreamHandler {
    /** Starts an execution of the compaction's state machine. */
    interface Starter {
        void start(String stateMachine, String input) throws IOException;
    }

    /** Makes starters. */
    interface Starters {
        Starter with(Call call);
    }

    private final Entry entry;

    public CompactionScheduleHandler() {
        this(Wiring.ofEnvironment(), call -> (machine, input) -> start(call, machine, input));
    }

    CompactionScheduleHandler(Wiring wiring, Starters starters) {
        this.entry = new Entry("compaction-schedule", wiring, (event, call) -> look(event, call, starters.with(call)));
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode look(ObjectNode event, Call call, Starter starter) throws IOException, ConfigException {
        String machine = call.settings()
                .compactStateMachine()
                .orElseThrow(() -> new ConfigException(
                        "STET_COMPACT_STATE_MACHINE is not set; it is the ARN of the compaction's state machine"));
        ObjectNode answer = JsonMapper.shared().createObjectNode();
        ArrayNode started = answer.putArray("started");
        ArrayNode failed = answer.putArray("failed");
        for (Site site : new Registry(call).sites(Events.optionalText(event, "pipelineName"))) {
            try {
                Buffered buffered = Buffered.in(site.ledger());
                call.metrics(site.name(), metrics(buffered, call));
                if (site.compactionIsDue(buffered, call.clock())) {
                    starter.start(
                            machine,
                            JsonMapper.shared()
                                    .createObjectNode()
                                    .put("pipelineName", site.name())
                                    .toString());
                    started.add(site.name());
                }
            } catch (IOException e) {
                call.failed(e);
                failed.add(site.name());
            }
        }
        call.info("looked at buffers", answer);
        return answer;
    }

    /** How much waits for landing, and for how long. */
    private static Map<String, Long> metrics(Buffered buffered, Call call) {
        long now = call.clock().millis();
        return Map.of(
                "oldest_commit_seconds",
                Math.max(0, now - buffered.oldest().orElse(now)) / 1_000,
                "bytes_buffered",
                buffered.landingBytes());
    }

    private static void start(Call call, String machine, String input) throws IOException {
        try (SfnClient client = call.clients().stateMachines()) {
            var _ = client.startExecution(r -> r.stateMachineArn(machine).input(input));
        } catch (SdkException | ConfigException e) {
            throw new IOException(
                    "a compaction was not started: "
                            + Optional.ofNullable(e.getMessage()).orElse(""),
                    e);
        }
    }
}
