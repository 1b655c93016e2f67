package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.config.ConfigException;
import dev.stet.copy.CommitIds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ends a round of landing: what failed becomes the next round's tasks; once nothing failed, the compaction is finished: its commits are retired, DONE comes last.
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
        Round before = Round.of(Events.object(event, "round"));
        AtomicLong landed = new AtomicLong(Events.number(event, "landedObjects"));
        AtomicBoolean stopped = new AtomicBoolean();
        MapResults results = new MapResults(site.staging(), before);
        Round next =
                before.tasks() == 0 ? Round.none(1) : undone(compaction, site, before, results, landed, stopped, call);
        boolean done = next.tasks() == 0 || stopped.get();
        if (done && !stopped.get()) {
            new Landing(site, call).finish();
        }
        ObjectNode state = JsonMapper.shared().createObjectNode().put("landedObjects", landed.get());
        state.set("compaction", compaction.json());
        state.set("round", next.json(site).put("done", done).put("stop", stopped.get()));
        state.put("failure", failure(results, event).orElse("none is known"));
        call.info(done ? "finished" : "some tasks are to land again", state);
        return state;
    }

    private static Round undone(
            CompactionState compaction,
            Site site,
            Round before,
            MapResults results,
            AtomicLong landed,
            AtomicBoolean stopped,
            Call call)
            throws IOException {
        int number = before.number() + 1;
        String folder = Folders.ofRound(compaction.folder(), number, new CommitIds(call.clock(), call.random()));
        try (RoundWriter next = new RoundWriter(site.staging(), number, 0, folder)) {
            results.read(output -> {
                landed.addAndGet(Events.number(output, "landedObjects"));
                stopped.compareAndSet(false, output.path("stopped").asBoolean(false));
            });
            results.undone(next::add);
            return next.end(0);
        }
    }

    private static Optional<String> failure(MapResults results, ObjectNode event) {
        return results.failure()
                .or(() -> Causes.of(event.path("landed")))
                .or(() -> Events.optionalText(event, "failure"));
    }
}
