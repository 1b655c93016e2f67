package dev.stet.functions;

import dev.stet.config.ConfigException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whose compaction it is: a run's, at its end, or a pipeline's, by the schedule. The {@code compaction} of an execution's state. */
record CompactionState(Optional<String> runId, Optional<String> pipelineName) {
    static CompactionState of(JsonNode json) {
        return new CompactionState(Events.optionalText(json, "runId"), Events.optionalText(json, "pipelineName"));
    }

    ObjectNode json() {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        runId.ifPresent(id -> json.put("runId", id));
        pipelineName.ifPresent(name -> json.put("pipelineName", name));
        return json;
    }

    Site site(Registry registry) throws IOException, ConfigException {
        if (runId.isPresent()) {
            return registry.site(registry.run(runId.get()));
        }
        return registry.site(pipelineName.orElseThrow(
                () -> new RefusedRunException("the event names neither a runId nor a pipelineName")));
    }

    BooleanSupplier stopped(Registry registry) {
        return runId.isPresent() ? registry.stopped(runId.get()) : () -> false;
    }

    /** Where the files of its rounds lie. */
    String folder() {
        return runId.map(id -> id + "/landing").orElse("landing");
    }
}
