package dev.stet.asl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One run of a Distributed Map: a child execution for each line of the item file, and their results in files. */
final class MapRun {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** The service fills a result file up to 5 GB; fewer here, so that there are several. */
    private static final int RESULTS_A_FILE = 1_500;

    private final Interpreter interpreter;
    private final Execution parent;
    private final State.DistributedMap map;
    private final ObjectFiles files;
    private final StateMachines.Settings settings;
    private final String id = UUID.randomUUID().toString();
    private final List<Execution> children = new CopyOnWriteArrayList<>();
    private int total;
    /** Guarded by this. */
    private int failed;

    MapRun(
            Interpreter interpreter,
            Execution parent,
            State.DistributedMap map,
            ObjectFiles files,
            StateMachines.Settings settings) {
        this.interpreter = interpreter;
        this.parent = parent;
        this.map = map;
        this.files = files;
        this.settings = settings;
    }

    JsonNode run(JsonNode input, JsonNode context) throws Failure, InterruptedException {
        List<JsonNode> items = items(map.reader().fill(input, context));
        total = items.size();
        parent.history().add("MapRunStarted " + map.name());
        int slots = Math.min(map.maxConcurrency(), settings.parallel());
        Semaphore free = new Semaphore(slots);
        List<JsonNode> pending = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            JsonNode childInput =
                    Limits.payload("item " + i, map.itemSelector().fill(input, withItem(context, i, items.get(i))));
            free.acquire();
            parent.requireRunning();
            if (exceeded()) {
                pending.add(childInput);
                free.release();
            } else {
                start(childInput, free);
            }
        }
        free.acquire(slots);
        parent.requireRunning();
        JsonNode result = write(map.writer().fill(input, context), pending);
        if (exceeded()) {
            parent.history().add("MapRunFailed " + map.name());
            throw new Failure(
                    "States.ExceedToleratedFailureThreshold", "The specified tolerated failure threshold was exceeded");
        }
        parent.history().add("MapRunSucceeded " + map.name());
        return result;
    }

    private void start(JsonNode input, Semaphore free) {
        Execution child = new Execution(
                parent.machineArn() + "/" + map.name(),
                UUID.randomUUID().toString(),
                input,
                new History(settings.historyEvents()));
        children.add(child);
        parent.adopt(child);
        Thread.ofVirtual().name("item-" + children.size()).start(() -> {
            try {
                interpreter.execute(child, map.processor());
                if (child.status() == Execution.Status.FAILED) {
                    countFailure();
                }
            } finally {
                free.release();
            }
        });
    }

    private synchronized void countFailure() {
        failed++;
        if (exceeded()) {
            children.forEach(c -> c.stop("", "the tolerated failure threshold was exceeded"));
        }
    }

    private synchronized boolean exceeded() {
        if (failed == 0) {
            return false;
        }
        if (map.toleratedCount().isEmpty() && map.toleratedPercentage().isEmpty()) {
            return true;
        }
        return map.toleratedCount().map(c -> failed > c).orElse(false)
                || map.toleratedPercentage()
                        .map(p -> failed * 100.0 > p * total)
                        .orElse(false);
    }

    private List<JsonNode> items(JsonNode from) throws Failure {
        List<JsonNode> items = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                files.read(from.get("Bucket").asString(), from.get("Key").asString()), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.getBytes(StandardCharsets.UTF_8).length > Limits.PAYLOAD) {
                    throw new IOException(
                            "line " + (items.size() + 1) + " is longer than " + Limits.PAYLOAD + " bytes");
                }
                items.add(StateMachines.json().readTree(line));
            }
        } catch (IOException | JacksonException e) {
            throw new Failure("States.ItemReaderFailed", from + ": " + e.getMessage());
        }
        if (items.stream().anyMatch(JsonNode::isMissingNode)) {
            throw new Failure("States.ItemReaderFailed", from + ": an empty line");
        }
        return items;
    }

    private static JsonNode withItem(JsonNode context, int index, JsonNode item) {
        ObjectNode with = (ObjectNode) context.deepCopy();
        with.putObject("Map").putObject("Item").put("Index", index).set("Value", item);
        return with;
    }

    private JsonNode write(JsonNode to, List<JsonNode> pending) throws Failure {
        String bucket = to.get("Bucket").asString();
        String folder = to.get("Prefix").asString() + "/" + id + "/";
        List<JsonNode> succeeded = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        for (Execution c : children) {
            (c.status() == Execution.Status.SUCCEEDED ? succeeded : others).add(entry(c));
        }
        ObjectNode manifest = NODES.objectNode();
        manifest.put("DestinationBucket", bucket);
        manifest.put("MapRunArn", arn());
        ObjectNode lists = manifest.putObject("ResultFiles");
        try {
            lists.set("FAILED", write(bucket, folder + "FAILED_", others));
            lists.set(
                    "PENDING",
                    write(
                            bucket,
                            folder + "PENDING_",
                            pending.stream().map(MapRun::pendingEntry).toList()));
            lists.set("SUCCEEDED", write(bucket, folder + "SUCCEEDED_", succeeded));
            files.write(bucket, folder + "manifest.json", manifest.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new Failure("States.ResultWriterFailed", String.valueOf(e));
        }
        ObjectNode result = NODES.objectNode().put("MapRunArn", arn());
        result.putObject("ResultWriterDetails").put("Bucket", bucket).put("Key", folder + "manifest.json");
        return result;
    }

    private String arn() {
        return parent.machineArn().replace(":stateMachine:", ":mapRun:") + "/" + map.name() + ":" + id;
    }

    private ArrayNode write(String bucket, String prefix, List<JsonNode> entries) throws IOException {
        ArrayNode written = NODES.arrayNode();
        for (int i = 0; i < entries.size(); i += RESULTS_A_FILE) {
            ArrayNode all = NODES.arrayNode();
            entries.subList(i, Math.min(entries.size(), i + RESULTS_A_FILE)).forEach(all::add);
            byte[] bytes = all.toString().getBytes(StandardCharsets.UTF_8);
            String key = prefix + i / RESULTS_A_FILE + ".json";
            files.write(bucket, key, bytes);
            written.addObject().put("Key", key).put("Size", bytes.length);
        }
        return written;
    }

    private static JsonNode pendingEntry(JsonNode input) {
        return NODES.objectNode().put("Input", input.toString()).put("Status", "PENDING");
    }

    private static JsonNode entry(Execution child) {
        Execution.Result end = child.await();
        ObjectNode entry = NODES.objectNode()
                .put("ExecutionArn", child.arn())
                .put("Input", child.input().toString())
                .put("Name", child.name())
                .put("RedriveCount", 0)
                .put("StartDate", child.started().toString())
                .put("StateMachineArn", child.machineArn())
                .put("Status", end.status().name());
        entry.putObject("InputDetails").put("Included", true);
        if (end.status() == Execution.Status.SUCCEEDED) {
            entry.put("Output", end.output().orElseThrow().toString());
            entry.putObject("OutputDetails").put("Included", true);
        } else {
            entry.put("Error", end.error()).put("Cause", end.cause());
        }
        return entry;
    }
}
