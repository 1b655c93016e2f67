package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.config.ConfigException;
import dev.stet.task.SourceTask;
import dev.stet.task.TaskResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Copies what notifications tell of, by the path of every copy: the current version of the object, its page, a commit. Event: a batch of SQS messages; the answer
 * names the messages that are to come again (partial batch response).
 */
public final class S3EventHandler implements RequestStreamHandler {
    /** Twice what finds one bad key among 10,000; more of them are no matter of one key. */
    private static final int MAX_FAILURES = 32;

    private final Entry entry;

    public S3EventHandler() {
        this(Wiring.ofEnvironment());
    }

    S3EventHandler(Wiring wiring) {
        this.entry = new Entry("s3-event", wiring, S3EventHandler::copy);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    /** The keys of one pipeline that messages tell of, each with those messages. */
    private record Batch(Site site, Map<String, Set<String>> messagesByKey) {
        void add(String key, String message) {
            messagesByKey.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(message);
        }

        Set<String> messages(Collection<String> keys) {
            Set<String> messages = new LinkedHashSet<>();
            keys.forEach(k -> messages.addAll(messagesByKey.getOrDefault(k, Set.of())));
            return messages;
        }
    }

    private static ObjectNode copy(ObjectNode event, Call call) throws IOException, ConfigException {
        Set<String> again = new LinkedHashSet<>();
        List<Batch> batches = batches(event, call, again);
        for (Batch batch : batches) {
            if (!batch.messagesByKey().isEmpty()) {
                Set<String> committed = batch.messages(batch.messagesByKey().keySet());
                Set<String> failed = batch.messages(copy(batch, call));
                committed.removeAll(failed);
                again.addAll(failed);
                if (!committed.isEmpty()) {
                    call.metrics(batch.site().name(), Map.of("lag_seconds", lagSeconds(event, committed, call)));
                }
            }
        }
        ObjectNode answer = JsonMapper.shared().createObjectNode();
        ArrayNode failures = answer.putArray("batchItemFailures");
        again.forEach(id -> failures.addObject().put("itemIdentifier", id));
        call.info("messages to come again: " + again.size(), JsonMapper.shared().createObjectNode());
        return answer;
    }

    /** How long the oldest of some messages was on its way until now. */
    private static long lagSeconds(ObjectNode event, Set<String> messages, Call call) {
        long now = call.clock().millis();
        return event.path("Records").values().stream()
                .filter(m -> messages.contains(m.path("messageId").asString("")))
                .map(m -> m.path("attributes").path("SentTimestamp").asString(""))
                .filter(sent -> sent.matches("[0-9]{1,15}"))
                .mapToLong(sent -> Math.max(0, now - Long.parseLong(sent)) / 1_000)
                .max()
                .orElse(0);
    }

    private static List<Batch> batches(ObjectNode event, Call call, Set<String> again)
            throws IOException, ConfigException {
        List<Batch> batches = new ArrayList<>();
        for (Site site : new Registry(call).sites()) {
            batches.add(new Batch(site, new LinkedHashMap<>()));
        }
        for (JsonNode message : event.path("Records").values()) {
            String id = Events.text(message, "messageId");
            try {
                for (ObjectHint hint : ObjectHint.of(Events.text(message, "body"))) {
                    sort(hint, id, batches, call);
                }
            } catch (RuntimeException e) {
                // Whatever is wrong with one message, the others are not to come again for it.
                call.failed(e);
                again.add(id);
            }
        }
        return batches;
    }

    private static void sort(ObjectHint hint, String message, List<Batch> batches, Call call) {
        boolean mine = false;
        for (Batch batch : batches) {
            Optional<String> key = batch.site().relative(hint);
            if (key.isPresent()) {
                batch.add(key.get(), message);
                mine = true;
            }
        }
        if (!mine) {
            call.warn("no pipeline copies s3://" + hint.bucket() + "/" + hint.key());
        }
    }

    /**
     * Copies a pipeline's keys. When that fails it may be for one of them, which must not hold up the others: each half is tried alone, down to single keys,
     * as long as failures are few.
     *
     * @return the keys that are to be told of again
     */
    private static Collection<String> copy(Batch batch, Call call) {
        List<String> again = new ArrayList<>();
        Deque<List<String>> todo = new ArrayDeque<>();
        todo.push(List.copyOf(batch.messagesByKey().keySet()));
        int failures = 0;
        while (!todo.isEmpty()) {
            List<String> keys = todo.pop();
            if (failures == MAX_FAILURES) {
                again.addAll(keys);
                continue;
            }
            try {
                again.addAll(copy(batch.site(), keys, call));
            } catch (IOException | ConfigException | RuntimeException e) {
                // The other pipelines' messages are not held up by this one's.
                call.failed(e);
                failures++;
                if (keys.size() == 1) {
                    again.addAll(keys);
                } else {
                    todo.push(keys.subList(keys.size() / 2, keys.size()));
                    todo.push(keys.subList(0, keys.size() / 2));
                }
            }
        }
        return again;
    }

    private static Collection<String> copy(Site site, List<String> keys, Call call)
            throws IOException, ConfigException {
        site.claim(call.settings(), call.notes());
        TaskResult result = new Copier(site, call).copy(new SourceTask.Objects(keys), "", call.timeIsUp());
        call.metrics(site.name(), CountersJson.metrics(result.counters()));
        call.info("copied", CountersJson.of(result.counters()));
        List<String> left = new ArrayList<>();
        for (SourceTask task : result.left()) {
            switch (task) {
                case SourceTask.Objects o -> left.addAll(o.keys());
                case SourceTask.Range _ -> left.addAll(keys);
            }
        }
        return left;
    }
}
