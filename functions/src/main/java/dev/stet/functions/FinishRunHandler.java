package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.config.ConfigException;
import dev.stet.registry.RegistryException;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import dev.stet.task.CopyCounters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ends a run: makes its counters exact from the ledger's commits, writes the report to staging, sets the terminal state. Event: the state of the execution, or
 * EventBridge's change of an execution's status, for executions that were aborted, timed out or failed before they could say so.
 */
public final class FinishRunHandler implements RequestStreamHandler {
    private final Entry entry;

    public FinishRunHandler() {
        this(Wiring.ofEnvironment());
    }

    FinishRunHandler(Wiring wiring) {
        this.entry = new Entry("finish-run", wiring, FinishRunHandler::finish);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    /** What the event says of the end. */
    private record End(
            String runId, Optional<String> error, boolean complete, CopyCounters counted, long rounds, long landed) {}

    private static ObjectNode finish(ObjectNode event, Call call)
            throws IOException, ConfigException, RegistryException {
        End end = event.has("detail") ? ofService(Events.object(event, "detail")) : ofState(event);
        Registry registry = new Registry(call);
        Run run = registry.run(end.runId());
        ObjectNode answer = JsonMapper.shared().createObjectNode().put("runId", run.runId());
        if (run.status().ended()) {
            return answer.put("status", run.status().name())
                    .put("error", run.lastError().orElse(""));
        }
        Site site = registry.site(run);
        RunAccount account = RunAccount.of(run, end.counted(), site.ledger(), call.clock());
        RunReport report = new RunReport(
                        run, status(run, end), end.error().or(account::remark), account, end.rounds(), end.landed())
                .write(site, call.clock());
        String at = RunReport.place(site, run);
        Run ended = registry.runs()
                .finish(
                        run.runId(),
                        report.status(),
                        report.error(),
                        Optional.of(new Run.Outcome(
                                CountersJson.totals(report.account().counters(), report.landedObjects()),
                                Optional.of(
                                        report.account().counters().records().toString()),
                                Optional.of(at))));
        call.info("ended", report.json());
        return answer.put("status", ended.status().name())
                .put("error", ended.lastError().orElse(""))
                .put("report", at);
    }

    private static RunStatus status(Run run, End end) {
        if (run.status() == RunStatus.STOPPING && !end.complete()) {
            return RunStatus.STOPPED;
        }
        return end.error().isPresent() ? RunStatus.FAILED : RunStatus.SUCCEEDED;
    }

    private static End ofState(ObjectNode state) {
        JsonNode landing = state.path("landed").path("landing");
        boolean landed = landing.path("round").path("done").asBoolean(false)
                && !landing.path("round").path("stop").asBoolean(false);
        return new End(
                Events.text(state, "runId"),
                Causes.of(state.path("error")).map(e -> told(state, e)),
                landed,
                state.has("sum") ? CountersJson.parse(state.get("sum")) : CopyCounters.NONE,
                state.path("round").path("number").asLong(0),
                landing.path("landedObjects").asLong(0));
    }

    /** The error, and what failed in the rounds before, which often is its reason. */
    private static String told(ObjectNode state, String error) {
        return Events.optionalText(state, "failure")
                .map(f -> error + "; the last failure of a task: " + f)
                .orElse(error);
    }

    private static End ofService(JsonNode detail) {
        JsonNode input = JsonMapper.shared().readTree(Events.text(detail, "input"));
        String status = Events.text(detail, "status");
        Optional<String> cause = Events.optionalText(detail, "cause").map(Causes::line);
        return new End(
                Events.text(input, "runId"),
                Optional.of("the execution ended: " + status
                        + cause.map(c -> ", " + c).orElse("")),
                false,
                CopyCounters.NONE,
                0,
                0);
    }
}
