package dev.stet.registry;

import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A registered pipeline.
 *
 * @param revision 1 at first, one more with each update
 * @param activeRuns ids of its runs that have not ended
 */
public record Pipeline(
        PipelineDefinition definition, long revision, Instant createdAt, Instant updatedAt, List<String> activeRuns) {
    public Pipeline {
        activeRuns = List.copyOf(activeRuns);
    }

    public String name() {
        return definition.name();
    }

    Pipeline withActiveRuns(List<String> runs) {
        return new Pipeline(definition, revision, createdAt, updatedAt, runs);
    }

    String stored() {
        ObjectNode json = Json.object();
        json.set("pipeline", definition.json());
        json.put("revision", revision).put("createdAt", createdAt.toString()).put("updatedAt", updatedAt.toString());
        var runs = json.putArray("activeRuns");
        activeRuns.forEach(runs::add);
        return Json.text(json);
    }

    static Pipeline stored(String body) {
        ObjectNode json = Json.ours(body);
        return new Pipeline(
                PipelineDefinition.stored(json.get("pipeline")),
                json.get("revision").asLong(),
                Instant.parse(json.get("createdAt").asString()),
                Instant.parse(json.get("updatedAt").asString()),
                json.get("activeRuns").valueStream().map(n -> n.asString()).toList());
    }
}
