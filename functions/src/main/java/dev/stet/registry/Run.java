package dev.stet.registry;

import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One run of a pipeline.
 *
 * @param startedBy access key id or subject of whoever started it
 * @param definition the pipeline as it was when the run started
 * @param worker who is at work on it, in the words of its launcher
 * @param outcome what came of it, once it has ended and is known exactly
 */
public record Run(
        String runId,
        PipelineDefinition definition,
        long pipelineRevision,
        RunStatus status,
        Instant startedAt,
        Optional<Instant> endedAt,
        String startedBy,
        Optional<String> lastError,
        Optional<String> worker,
        Optional<Outcome> outcome) {

    /**
     * What came of a run, exact.
     *
     * @param digest of the records copied, where known
     * @param report where more is told: a file or an object
     */
    public record Outcome(RunTotals totals, Optional<String> digest, Optional<String> report) {}

    public String pipelineName() {
        return definition.name();
    }

    Run withStatus(RunStatus next) {
        return new Run(
                runId, definition, pipelineRevision, next, startedAt, endedAt, startedBy, lastError, worker, outcome);
    }

    Run withWorker(String by) {
        return new Run(
                runId,
                definition,
                pipelineRevision,
                status,
                startedAt,
                endedAt,
                startedBy,
                lastError,
                Optional.of(by),
                outcome);
    }

    Run ended(RunStatus as, Instant at, Optional<String> error, Optional<Outcome> what) {
        return new Run(
                runId,
                definition,
                pipelineRevision,
                as,
                startedAt,
                Optional.of(at),
                startedBy,
                error.or(() -> lastError),
                worker,
                what);
    }

    String stored() {
        ObjectNode json = Json.object();
        json.put("runId", runId)
                .put("status", status.name())
                .put("startedAt", startedAt.toString())
                .put("startedBy", startedBy)
                .put("pipelineRevision", pipelineRevision);
        json.set("pipeline", definition.json());
        endedAt.ifPresent(at -> json.put("endedAt", at.toString()));
        lastError.ifPresent(e -> json.put("lastError", e));
        worker.ifPresent(w -> json.put("worker", w));
        outcome.ifPresent(o -> {
            ObjectNode what = json.putObject("outcome");
            ObjectNode totals = what.putObject("totals");
            o.totals().counters().forEach(totals::put);
            o.digest().ifPresent(d -> what.put("digest", d));
            o.report().ifPresent(r -> what.put("report", r));
        });
        return Json.text(json);
    }

    static Run stored(String body) {
        ObjectNode json = Json.ours(body);
        return new Run(
                json.get("runId").asString(),
                PipelineDefinition.stored(json.get("pipeline")),
                json.get("pipelineRevision").asLong(),
                RunStatus.valueOf(json.get("status").asString()),
                Instant.parse(json.get("startedAt").asString()),
                text(json, "endedAt").map(Instant::parse),
                json.get("startedBy").asString(),
                text(json, "lastError"),
                text(json, "worker"),
                json.optional("outcome").map(Run::outcome));
    }

    private static Outcome outcome(JsonNode json) {
        java.util.Map<String, Long> counters = new java.util.TreeMap<>();
        json.get("totals")
                .properties()
                .forEach(e -> counters.put(e.getKey(), e.getValue().asLong()));
        return new Outcome(RunTotals.ofCounters(counters), text(json, "digest"), text(json, "report"));
    }

    private static Optional<String> text(JsonNode json, String field) {
        return json.optional(field).map(JsonNode::asString);
    }
}
