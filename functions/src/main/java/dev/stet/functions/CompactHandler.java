package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.compact.LandingStoppedException;
import dev.stet.config.ConfigException;
import dev.stet.stage.TaskItem;
import dev.stet.store.UnknownOutcomeException;
import dev.stet.task.CopyCounters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lands one task of a compaction: a range of its outputs. Event: {@code {"compaction":{…},"item":{…}}}; the answer is {@code {"landedObjects":…,"stopped":…}}. A
 * task whose time is up fails; what it landed is found landed when it is tried again.
 */
public final class CompactHandler implements RequestStreamHandler {
    private final Entry entry;

    public CompactHandler() {
        this(Wiring.ofEnvironment());
    }

    CompactHandler(Wiring wiring) {
        this.entry = new Entry("compact", wiring, CompactHandler::land);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode land(ObjectNode event, Call call) throws IOException, ConfigException {
        Registry registry = new Registry(call);
        CompactionState compaction = CompactionState.of(Events.object(event, "compaction"));
        Site site = compaction.site(registry);
        TaskItem item = TaskItem.ofLine(Events.object(event, "item").toString());
        BooleanSupplier time = call.timeIsUp();
        BooleanSupplier stopped = compaction.stopped(registry);
        ObjectNode answer = JsonMapper.shared().createObjectNode();
        LongAdder landed = new LongAdder();
        try {
            Landing.steps(site, call, () -> time.getAsBoolean() || stopped.getAsBoolean())
                    .land(compaction.requiredPlan(), item, compaction.again(), _ -> landed.increment());
        } catch (LandingStoppedException e) {
            if (!stopped.getAsBoolean()) {
                throw new IOException("time is up before the task has landed; it goes on when it is tried again", e);
            }
            answer.put("stopped", true);
        }
        count(registry, compaction, site, landed.sum(), call);
        answer.put("landedObjects", landed.sum());
        call.info("landed", answer);
        return answer;
    }

    private static void count(Registry registry, CompactionState compaction, Site site, long landed, Call call)
            throws IOException {
        call.metrics(site.name(), Map.of("objects_landed", landed));
        if (compaction.runId().isEmpty()) {
            return;
        }
        try {
            registry.runs().add(compaction.runId().get(), CountersJson.totals(CopyCounters.NONE, landed));
        } catch (UnknownOutcomeException e) {
            call.warn(
                    "the live counters of run " + compaction.runId().get() + " may lack this task: " + e.getMessage());
        }
    }
}
