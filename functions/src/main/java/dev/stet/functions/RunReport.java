package dev.stet.functions;

import dev.stet.audit.Crc32c;
import dev.stet.registry.Run;
import dev.stet.registry.RunStatus;
import dev.stet.store.ObjectWriter;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
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

    /** Writes it. @return where it lies. One that is there already, by an earlier try, is left there. */
    String write(Site site, Clock clock) throws IOException {
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
        return site.staging().describe(key);
    }
}
