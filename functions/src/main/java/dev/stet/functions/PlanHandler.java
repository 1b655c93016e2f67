package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.config.ConfigException;
import dev.stet.copy.CommitIds;
import dev.stet.plan.SourcePlanner.Planned;
import dev.stet.registry.RegistryException;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import dev.stet.stage.TaskFile;
import dev.stet.task.CopyCounters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Begins a run: makes sure the ledger is the pipeline's, splits the source into tasks. Event: {@code {"runId":…}}, with {@code "inventory":"s3://…/manifest.json"}
 * where an S3 Inventory (CSV) is to spare the sampling of listings; the answer is the state of the execution: {@code {"runId":…,"round":{…},"sum":{…}}}.
 */
public final class PlanHandler implements RequestStreamHandler {
    private final Entry entry;

    public PlanHandler() {
        this(Wiring.ofEnvironment());
    }

    PlanHandler(Wiring wiring) {
        this.entry = new Entry("plan", wiring, PlanHandler::plan);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode plan(ObjectNode event, Call call) throws IOException, ConfigException, RegistryException {
        String runId = Events.text(event, "runId");
        Registry registry = new Registry(call);
        Run run = registry.run(runId);
        if (run.status().ended()) {
            throw new RefusedRunException("run " + runId + " has ended: " + run.status());
        }
        Site site = registry.site(run);
        site.claim(call.settings(), call.notes());
        ObjectNode state = JsonMapper.shared().createObjectNode().put("runId", runId);
        state.set("sum", CountersJson.of(CopyCounters.NONE));
        state.set("round", round(event, run, site, call).json(site).put("stop", run.status() == RunStatus.STOPPING));
        call.info("planned", state);
        return state;
    }

    private static Round round(ObjectNode event, Run run, Site site, Call call) throws IOException, ConfigException {
        if (run.status() == RunStatus.STOPPING) {
            return Round.none(1);
        }
        String name = Folders.ofRound(run.runId(), 1, new CommitIds(call.clock(), call.random()));
        try (TaskFile file = new TaskFile(site.staging(), name)) {
            Planned planned = new SourcePlan(site, call).write(Events.optionalText(event, "inventory"), file);
            call.info(
                    "source split",
                    JsonMapper.shared()
                            .createObjectNode()
                            .put("tasks", planned.tasks())
                            .put("objects", planned.objects())
                            .put("bytes", planned.bytes())
                            .put("lists", planned.lists()));
            return Round.of(1, 0, file.complete());
        }
    }
}
