package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.config.ConfigException;
import dev.stet.copy.CommitIds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Begins a compaction, or goes on with the one that is open. Event: {@code {"runId":…}} lands whatever is committed, {@code {"pipelineName":…}} what is due. The
 * answer is the state of the execution: {@code {"compaction":{…},"round":{…},"landedObjects":0}}.
 */
public final class PlanCompactionHandler implements RequestStreamHandler {
    private final Entry entry;

    public PlanCompactionHandler() {
        this(Wiring.ofEnvironment());
    }

    PlanCompactionHandler(Wiring wiring) {
        this.entry = new Entry("plan-compaction", wiring, PlanCompactionHandler::plan);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode plan(ObjectNode event, Call call) throws IOException, ConfigException {
        Registry registry = new Registry(call);
        CompactionState compaction = CompactionState.of(event);
        Site site = compaction.site(registry);
        boolean stop = compaction.stopped(registry).getAsBoolean();
        boolean wanted = !stop && (compaction.runId().isPresent() || site.compactionIsDue(call.clock()));
        ObjectNode state = JsonMapper.shared().createObjectNode().put("landedObjects", 0);
        state.set("compaction", compaction.json());
        Round round = wanted ? round(compaction, site, call) : Round.none(1);
        state.set("round", round.json(site).put("done", !wanted).put("stop", stop));
        call.info("planned", state);
        return state;
    }

    private static Round round(CompactionState compaction, Site site, Call call) throws IOException {
        String folder = Folders.ofRound(compaction.folder(), 1, new CommitIds(call.clock(), call.random()));
        try (RoundWriter round = new RoundWriter(site.staging(), 1, 0, folder)) {
            new Landing(site, call).plan(round::add);
            return round.end(0);
        }
    }
}
