package dev.stet.registry;

import java.time.Duration;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** A run as the contract shows it, with rates as of now. */
final class RunView {
    private RunView() {}

    static ObjectNode of(Run run, RunTotals totals, Instant now) {
        ObjectNode json = Json.object()
                .put("runId", run.runId())
                .put("pipelineName", run.pipelineName())
                .put("pipelineRevision", run.pipelineRevision())
                .put("status", run.status().name())
                .put("startedAt", run.startedAt().toString());
        run.endedAt().ifPresent(at -> json.put("endedAt", at.toString()));
        json.put("startedBy", run.startedBy());
        run.lastError().ifPresent(e -> json.put("lastError", e));
        counters(json, totals);
        long elapsed = Math.max(
                0, Duration.between(run.startedAt(), run.endedAt().orElse(now)).toMillis());
        long rate = elapsed == 0 ? 0 : (long) (totals.bytesRead() * 1000.0 / elapsed);
        long left = Math.max(0, totals.bytesToRead() - totals.bytesRead());
        json.put("bytesPerSecond", rate);
        if (!run.status().ended() && run.definition().isCopy()) {
            json.put("lagBytes", left);
            if (rate > 0) {
                json.put("secondsLeft", left / rate);
            }
        }
        json.put("elapsedMs", elapsed);
        run.outcome().flatMap(Run.Outcome::digest).ifPresent(d -> json.put("digest", d));
        run.outcome().flatMap(Run.Outcome::report).ifPresent(r -> json.put("report", r));
        return json;
    }

    /** Of live counters none may be shown below zero, whatever was counted twice. */
    private static void counters(ObjectNode json, RunTotals t) {
        json.put("objectsCopied", Math.max(0, t.objectsCopied()))
                .put("objectsSkipped", Math.max(0, t.objectsSkipped()))
                .put("objectsUnreadable", Math.max(0, t.objectsUnreadable()))
                .put("recordsCopied", Math.max(0, t.recordsCopied()));
        ObjectNode quarantined = json.putObject("recordsQuarantined");
        t.recordsQuarantined().entrySet().stream()
                .sorted(java.util.Map.Entry.comparingByKey())
                .forEach(e -> quarantined.put(e.getKey(), Math.max(0, e.getValue())));
        json.put("landedObjects", Math.max(0, t.landedObjects()))
                .put("bytesCopied", Math.max(0, t.bytesCopied()))
                .put("bytesRead", Math.max(0, t.bytesRead()))
                .put("bytesToRead", Math.max(0, t.bytesToRead()));
    }
}
