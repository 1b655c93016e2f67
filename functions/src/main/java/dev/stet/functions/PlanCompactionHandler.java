package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.compact.CompactionSteps.Plan;
import dev.stet.config.ConfigException;
import dev.stet.copy.CommitIds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Opens a generation, or goes on with the one that is open. Event: {@code {"runId":…}} lands whatever is committed, {@code {"pipelineName":…}} what is due, and the state of an execution that
 * has ended a generation plans the next one. The answer is the state of the execution: {@code {"compaction":{…},"round":{…},"landedObjects":…}}.
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
        CompactionState asked = event.has("compaction")
                ? CompactionState.of(Events.object(event, "compaction")).afterwards()
                : CompactionState.begun(event, call.clock());
        Site site = asked.site(registry);
        BooleanSupplier stopped = asked.stopped(registry);
        boolean stop = stopped.getAsBoolean();
        boolean wanted = !stop && asked.isWanted(site, call.clock());
        Optional<Plan> plan = wanted
                ? Landing.steps(site, call, () -> false).plan(new CommitIds(call.clock(), call.random()).next())
                : Optional.empty();
        ObjectNode state = JsonMapper.shared()
                .createObjectNode()
                .put("landedObjects", event.path("landedObjects").asLong(0))
                .put("failure", "none");
        state.set("compaction", asked.with(plan).json());
        Round round = plan.map(p -> new Round(1, p.tasks(), 0, p.itemsKey())).orElse(Round.none(1));
        state.set("round", round.json(site).put("done", plan.isEmpty()).put("stop", stop));
        call.info("planned", state);
        return state;
    }
}
