package dev.stet.cli;

import dev.stet.config.Location;
import dev.stet.config.PipelineConfig;
import dev.stet.run.RunCounters;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What people read at the end of a run. */
final class Summary {
    private final PipelineConfig pipeline;
    private final RunOptions options;

    Summary(PipelineConfig pipeline, RunOptions options) {
        this.pipeline = pipeline;
        this.options = options;
    }

    /** Lines, each ended. */
    String of(RunResult result) {
        RunCounters c = result.counters();
        long aside = c.recordsQuarantined().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        StringBuilder text = new StringBuilder();
        if (c.objectsCopied() == 0 && result.stopped()) {
            line(text, "stopped", "before anything was committed; run again to go on");
        } else if (c.objectsCopied() == 0 && aside == 0 && c.objectsUnreadable() == 0) {
            line(text, "nothing new", "in " + pipeline.source().describe());
        } else {
            line(
                    text,
                    "copied",
                    Units.count(c.recordsCopied(), "record") + " (" + Units.bytes(c.bytesCopied()) + ") of "
                            + Units.count(c.objectsCopied(), "object"));
        }
        if (c.objectsSkipped() > 0) {
            line(text, "skipped", Units.count(c.objectsSkipped(), "object") + ", copied before or empty");
        }
        if (c.objectsUnreadable() > 0) {
            line(
                    text,
                    "not read",
                    Units.count(c.objectsUnreadable(), "object") + ", named above; the next run tries again");
        }
        if (aside > 0) {
            quarantine(text, c, aside);
        }
        landed(text, c, result.stopped());
        if (c.objectsCopied() > 0) {
            line(text, "digest", c.digest().toString());
        }
        line(text, "took", Units.duration(result.elapsedMillis()) + (result.stopped() ? ", stopped" : ""));
        return text.toString();
    }

    private void landed(StringBuilder text, RunCounters c, boolean stopped) {
        if (c.landedObjects() > 0) {
            line(
                    text,
                    "landed",
                    Units.count(c.landedObjects(), "object") + " in "
                            + pipeline.sink().describe());
        }
        if (c.objectsCopied() > 0 && (stopped || !options.flush())) {
            line(text, "committed", "what has not landed yet is kept; a later run lands it");
        }
    }

    private void quarantine(StringBuilder text, RunCounters c, long aside) {
        List<Map.Entry<String, Long>> reasons = c.recordsQuarantined().entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .sorted(Comparator.comparingLong((Map.Entry<String, Long> e) -> -e.getValue())
                        .thenComparing(Map.Entry::getKey))
                .toList();
        line(text, "quarantined", Units.count(aside, "item"));
        for (Map.Entry<String, Long> reason : reasons) {
            line(text, "", Units.number(reason.getValue()) + " " + reason.getKey() + ": " + folder(reason.getKey()));
        }
        if (aside > c.recordsCopied()) {
            line(text, "look at", advice(reasons.get(0).getKey()));
        }
    }

    private String folder(String reason) {
        String sink = pipeline.sink().describe();
        boolean whole = pipeline.sink() instanceof Location.S3 && sink.endsWith("/");
        return sink + (whole ? "" : "/") + "_quarantine/reason=" + reason + "/";
    }

    /** The setting that most likely is wrong when most records end with this reason. */
    private static String advice(String reason) {
        return "most were set aside; "
                + switch (reason) {
                    case "missing_namespace", "bad_namespace" ->
                        "the records do not have what namespace_fields (--namespace-fields) names";
                    case "missing_partition", "bad_partition" ->
                        "the records do not have what batch_partition_fields (--batch-partition-fields) names";
                    case "missing_time", "bad_time", "ambiguous_time" ->
                        "the records have no readable time where batch_time_fields (--batch-time-fields) says";
                    case "duplicate_key" ->
                        "a routed field stands twice in them: choose others with namespace_fields,"
                                + " batch_partition_fields or batch_time_fields";
                    case "key_too_long" ->
                        "values too long for a folder: choose another batch_partition_fields"
                                + " (--batch-partition-fields) or namespace_fields";
                    case "not_an_object" ->
                        "if the records lie inside an envelope, set record_field_path (--record-field-path)";
                    case "corrupt_compression", "unsupported_compression", "unsupported_encoding" ->
                        "the source's objects are not what they seem; narrow it with include or exclude"
                                + " (--include, --exclude)";
                    default -> "is the source JSON? See format (--format), include and exclude (--include, --exclude)";
                };
    }

    private static void line(StringBuilder text, String label, String rest) {
        text.append(label)
                .append(" ".repeat(Math.max(1, 12 - label.length())))
                .append(rest)
                .append('\n');
    }
}
