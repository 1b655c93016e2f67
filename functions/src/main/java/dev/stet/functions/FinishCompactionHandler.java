package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.compact.CompactionSteps.Finish;
import dev.stet.compact.CompactionSteps.Plan;
import dev.stet.config.ConfigException;
import dev.stet.copy.CommitIds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ends a round of landing: what failed becomes the next round's tasks; once nothing failed, the generation is finished: its commits are retired, DONE comes last. Then another one follows where
 * the one that was open had been somebody else's, or could not take all.
 * Event and answer are the state of the execution, see {@link PlanCompactionHandler}.
 */
public final class FinishCompactionHandler implements RequestStreamHandler {
    private final Entry entry;

    public FinishCompactionHandler() {
        this(Wiring.ofEnvironment());
    }

    FinishCompactionHandler(Wiring wiring) {
        this.entry = new Entry("finish-compaction", wiring, FinishCompactionHandler::finish);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode finish(ObjectNode event, Call call) throws IOException, ConfigException {
        Registry registry = new Registry(call);
        CompactionState compaction = CompactionState.of(Events.object(event, "compaction"));
        Site site = compaction.site(registry);
        Round before = Round.parse(Events.object(event, "round"));
        Plan plan = compaction.requiredPlan();
        Finish finish = Landing.steps(site, call, call.timeIsUp())
                .finish(plan, new CommitIds(call.clock(), call.random()).next());
        int number = before.number() + 1;
        Round next = switch (finish) {
            case Finish.Done _ -> Round.none(number);
            case Finish.Missing m -> new Round(number, m.tasks(), 0, m.itemsKey());
        };
        boolean done = finish instanceof Finish.Done;
        boolean left = !done || compaction.isWanted(site, call.clock());
        boolean stop = left && compaction.stopped(registry).getAsBoolean();
        boolean more = done && left && !stop;
        ObjectNode state = JsonMapper.shared()
                .createObjectNode()
                .put("landedObjects", event.path("landedObjects").asLong(0) + (done ? plan.outputs() : 0));
        state.set("compaction", compaction.onceMore().json());
        state.set(
                "round",
                next.json(site)
                        .put("done", (done && !more) || stop)
                        .put("more", more)
                        .put("stop", stop));
        state.put("failure", done ? "none" : failure(site, before, event));
        call.info(done ? "finished" : "some tasks are to land again", state);
        return state;
    }

    /** Why tasks are to land again. */
    private static String failure(Site site, Round round, ObjectNode event) throws IOException {
        MapResults results = new MapResults(site.staging(), round);
        results.read(_ -> {});
        return results.failure()
                .or(() -> Causes.of(event.path("landed")))
                .or(() -> Events.optionalText(event, "failure"))
                .orElse("none");
    }
}
