package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.config.ConfigException;
import dev.stet.copy.CommitIds;
import dev.stet.registry.Run;
import dev.stet.stage.TaskFile;
import dev.stet.stage.TaskItem;
import dev.stet.store.UnknownOutcomeException;
import dev.stet.task.CopyCounters;
import dev.stet.task.SourceTask;
import dev.stet.task.TaskResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Copies one task until it is done, time is up or the run is to stop. Event: {@code {"runId":…,"item":{"key":…,"offset":…,"length":…}}}; the answer is
 * {@code {"counters":{…},"advanced":…,"left":[lines of new tasks]}}, with {@code leftItems} in staging instead where these are long. {@code advanced}: what is
 * left is not the whole task again, though there may have been nothing to copy.
 */
public final class CopyHandler implements RequestStreamHandler {
    /** Far below what a task's result may have. */
    private static final int MAX_INLINE = 32 << 10;

    private final Entry entry;

    public CopyHandler() {
        this(Wiring.ofEnvironment());
    }

    CopyHandler(Wiring wiring) {
        this.entry = new Entry("copy", wiring, CopyHandler::copy);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode copy(ObjectNode event, Call call) throws IOException, ConfigException {
        Registry registry = new Registry(call);
        Run run = registry.run(Events.text(event, "runId"));
        Site site = registry.site(run);
        SourceTask task = SourceTask.ofLine(
                TaskItem.ofLine(Events.object(event, "item").toString()).read(site.staging()));
        BooleanSupplier time = call.timeIsUp();
        BooleanSupplier stopped = registry.stopped(run.runId());
        TaskResult result = new Copier(site, call)
                .copy(task, CommitIds.mark(run.runId()), () -> time.getAsBoolean() || stopped.getAsBoolean());
        count(registry, run, result.counters(), call);
        ObjectNode answer = JsonMapper.shared().createObjectNode();
        answer.set("counters", CountersJson.of(result.counters()));
        answer.put("advanced", !result.left().equals(List.of(task)));
        left(result.left(), site, run, call, answer);
        call.info("copied", answer);
        return answer;
    }

    /** Live counters are for show: a task does not fail for them. */
    private static void count(Registry registry, Run run, CopyCounters counters, Call call) throws IOException {
        call.metrics(run.pipelineName(), CountersJson.metrics(counters));
        try {
            registry.runs().add(run.runId(), CountersJson.totals(counters, 0));
        } catch (UnknownOutcomeException e) {
            call.warn("the live counters of run " + run.runId() + " may lack this task: " + e.getMessage());
        }
    }

    private static void left(List<SourceTask> left, Site site, Run run, Call call, ObjectNode answer)
            throws IOException {
        List<String> lines = left.stream().map(SourceTask::toLine).toList();
        if (lines.stream().mapToLong(String::length).sum() <= MAX_INLINE) {
            ArrayNode inline = answer.putArray("left");
            lines.forEach(inline::add);
            return;
        }
        String name = Folders.left(run.runId(), new CommitIds(call.clock(), call.random()));
        try (TaskFile file = new TaskFile(site.staging(), name)) {
            for (String line : lines) {
                file.add(line);
            }
            answer.put("leftItems", file.complete().itemsKey());
        }
    }
}
