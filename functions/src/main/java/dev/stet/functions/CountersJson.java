package dev.stet.functions;

import dev.stet.audit.Digest;
import dev.stet.registry.RunTotals;
import dev.stet.task.CopyCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Counters as they travel from workers through the state of an execution: small, whatever the task. */
final class CountersJson {
    private static final int MAX_TEXT = 500;

    private CountersJson() {}

    static ObjectNode of(CopyCounters c) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("objectsCopied", c.objectsCopied())
                .put("objectsSkipped", c.objectsSkipped())
                .put("objectsGone", c.objectsGone())
                .put("objectsReplaced", c.objectsReplaced())
                .put("commits", c.commits())
                .put("parts", c.parts())
                .put("bytesRead", c.bytesRead())
                .put("bytesStaged", c.bytesStaged())
                .put("bytesLanding", c.bytesLanding())
                .put("digest", c.records().toString());
        numbers(json.putObject("quarantined"), c.quarantined());
        numbers(json.putObject("unreadable"), c.unreadable());
        ArrayNode examples = json.putArray("examples");
        c.examples()
                .forEach(e -> examples.addObject()
                        .put("key", e.key())
                        .put("reason", e.reason())
                        .put(
                                "message",
                                e.message()
                                        .substring(
                                                0,
                                                Math.min(MAX_TEXT, e.message().length()))));
        return json;
    }

    static CopyCounters parse(JsonNode json) {
        List<CopyCounters.Unreadable> examples = new ArrayList<>();
        for (JsonNode e : json.path("examples").values()) {
            examples.add(new CopyCounters.Unreadable(
                    Events.text(e, "key"), Events.text(e, "reason"), Events.text(e, "message")));
        }
        return new CopyCounters(
                Events.number(json, "objectsCopied"),
                Events.number(json, "objectsSkipped"),
                Events.number(json, "objectsGone"),
                Events.number(json, "objectsReplaced"),
                Events.number(json, "commits"),
                Events.number(json, "parts"),
                numbers(json.path("quarantined")),
                Events.number(json, "bytesRead"),
                Events.number(json, "bytesStaged"),
                Events.number(json, "bytesLanding"),
                Digest.parse(Events.text(json, "digest")),
                numbers(json.path("unreadable")),
                examples);
    }

    static RunTotals totals(CopyCounters c, long landedObjects) {
        return new RunTotals(
                c.objectsCopied(),
                c.objectsSkipped(),
                unreadable(c),
                c.records().count(),
                c.quarantined(),
                landedObjects,
                c.records().bytes(),
                c.bytesRead(),
                0);
    }

    static long unreadable(CopyCounters c) {
        return c.unreadable().values().stream().mapToLong(n -> n).sum();
    }

    /** For metrics. */
    static Map<String, Long> metrics(CopyCounters c) {
        Map<String, Long> metrics = new TreeMap<>();
        metrics.put("objects_copied", c.objectsCopied());
        metrics.put("objects_unreadable", unreadable(c));
        metrics.put("records_copied", c.records().count());
        metrics.put(
                "records_quarantined",
                c.quarantined().values().stream().mapToLong(n -> n).sum());
        metrics.put("bytes_read", c.bytesRead());
        metrics.put("bytes_staged", c.bytesStaged());
        metrics.put("commits", c.commits());
        return metrics;
    }

    private static void numbers(ObjectNode json, Map<String, Long> numbers) {
        new TreeMap<>(numbers).forEach(json::put);
    }

    private static Map<String, Long> numbers(JsonNode json) {
        Map<String, Long> numbers = new TreeMap<>();
        json.properties().forEach(e -> numbers.put(e.getKey(), e.getValue().longValue()));
        return numbers;
    }
}
