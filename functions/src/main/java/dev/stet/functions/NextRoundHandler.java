package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.config.ConfigException;
import dev.stet.copy.CommitIds;
import dev.stet.registry.Run;
import dev.stet.stage.TaskFile;
import dev.stet.stage.TaskItem;
import dev.stet.task.CopyCounters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns what a round of copying left over and what failed in it into the next round's tasks, and adds up its counters. Event and answer are the state of the
 * execution, see {@link PlanHandler}.
 */
public final class NextRoundHandler implements RequestStreamHandler {
    private final Entry entry;

    public NextRoundHandler() {
        this(Wiring.ofEnvironment());
    }

    NextRoundHandler(Wiring wiring) {
        this.entry = new Entry("next-round", wiring, NextRoundHandler::next);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode next(ObjectNode event, Call call) throws IOException, ConfigException {
        Registry registry = new Registry(call);
        Run run = registry.run(Events.text(event, "runId"));
        Site site = registry.site(run);
        Round before = Round.parse(Events.object(event, "round"));
        int number = before.number() + 1;
        MapResults results = new MapResults(site.staging(), before);
        Sum sum = new Sum();
        Round round;
        String name = Folders.ofRound(run.runId(), number, new CommitIds(call.clock(), call.random()));
        try (TaskFile next = new TaskFile(site.staging(), name)) {
            results.read(output -> {
                sum.add(output);
                left(output, site, next);
            });
            results.undone(next::add);
            TaskFile.Written file = next.complete();
            boolean progress = sum.progress() || file.tasks() < before.tasks();
            round = Round.of(number, progress ? 0 : before.idle() + 1, file);
        }
        ObjectNode state = JsonMapper.shared().createObjectNode().put("runId", run.runId());
        state.set(
                "sum",
                CountersJson.of(CountersJson.parse(Events.object(event, "sum")).plus(sum.counters)));
        state.set("round", round.json(site).put("stop", registry.runs().shouldStop(run.runId())));
        failure(results, event).ifPresent(f -> state.put("failure", f));
        call.info("round " + before.number() + " is over", state);
        return state;
    }

    /** The last thing that went wrong, for the report: of this round, else of one before. */
    private static Optional<String> failure(MapResults results, ObjectNode event) {
        return results.failure()
                .or(() -> Causes.of(event.path("copied")))
                .or(() -> Events.optionalText(event, "failure"));
    }

    private static void left(JsonNode output, Site site, TaskFile next) throws IOException {
        for (JsonNode line : output.path("left").values()) {
            next.add(line.stringValue());
        }
        Optional<String> items = Events.optionalText(output, "leftItems");
        if (items.isPresent()) {
            StagedText.lines(site.staging(), items.get(), line -> next.add(TaskItem.ofLine(line)));
        }
    }

    /** Of a round's answers. */
    private static final class Sum {
        private CopyCounters counters = CopyCounters.NONE;
        private boolean advanced;

        void add(JsonNode output) {
            counters = counters.plus(CountersJson.parse(Events.object(output, "counters")));
            advanced |= output.path("advanced").asBoolean(false);
        }

        boolean progress() {
            return counters.commits() + counters.parts() > 0 || advanced;
        }
    }
}
