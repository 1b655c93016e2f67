package dev.stet.functions;

import dev.stet.audit.Crc32c;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import dev.stet.store.ObjectWriter;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What is told of a run that has ended: one JSON object, in staging. */
record RunReport(
        Run run, RunStatus status, Optional<String> error, RunAccount account, long rounds, long landedObjects) {

    ObjectNode json() {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("runId", run.runId())
                .put("pipelineName", run.pipelineName())
                .put("status", status.name())
                .put("startedAt", run.startedAt().toString())
                .put("startedBy", run.startedBy())
                .put("rounds", rounds)
                .put("landedObjects", landedObjects)
                .put("exact", account.exact())
                .put("commitsNotReported", account.unreported());
        error.ifPresent(e -> json.put("error", e));
        json.set("counters", CountersJson.of(account.counters()));
        return json;
    }

    private static RunReport parse(Run run, ObjectNode json) {
        return new RunReport(
                run,
                RunStatus.valueOf(Events.text(json, "status")),
                Events.optionalText(json, "error"),
                new RunAccount(
                        CountersJson.parse(Events.object(json, "counters")),
                        json.path("exact").asBoolean(false),
                        Events.number(json, "commitsNotReported")),
                Events.number(json, "rounds"),
                Events.number(json, "landedObjects"));
    }

    /** Where the report of a run lies. */
    static String place(Site site, Run run) {
        return site.staging().describe(Folders.report(run.runId()));
    }

    /** Writes it. @return what is told of the run: this one, or the one that an earlier call wrote before it was killed, so that report and registry always agree */
    RunReport write(Site site, Clock clock) throws IOException {
        byte[] bytes = json().put("endedAt", clock.instant().toString())
                .toPrettyString()
                .getBytes(StandardCharsets.UTF_8);
        String key = Folders.report(run.runId());
        try (ObjectWriter writer = site.staging().create(key)) {
            writer.write(bytes, 0, bytes.length);
            if (writer.complete(Crc32c.of(bytes, 0, bytes.length)) == ObjectWriter.Outcome.EXISTS) {
                writer.abort();
            }
        } catch (UnknownOutcomeException e) {
            if (site.staging().readBack(key).isEmpty()) {
                throw e;
            }
        }
        try (InputStream in = StagedText.open(site.staging(), key)) {
            return parse(run, (ObjectNode) JsonMapper.shared().readTree(in));
        }
    }
}
