package dev.stet.registry;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Puts pipelines and runs into a registry, as its API would. */
public final class RegistryHand {
    private final Pipelines pipelines;
    private final Runs runs;

    public RegistryHand(RegistryStore store, Clock clock) {
        this.pipelines = new Pipelines(store, clock);
        this.runs = new Runs(store, clock);
    }

    public void create(ObjectNode request) throws IOException, RegistryException {
        ObjectNode _ = pipelines.create(
                PipelineDefinition.of(request, Path.of("/")),
                Optional.empty(),
                _ -> JsonMapper.shared().createObjectNode());
    }

    /** Starts a run; nothing is launched. */
    public Run start(String pipeline) throws IOException, RegistryException {
        return runs.start(
                        new Runs.Start(pipeline, "test", true, Optional.empty()),
                        _ -> JsonMapper.shared().createObjectNode())
                .run()
                .orElseThrow();
    }

    public Run stop(String runId) throws IOException, RegistryException {
        return runs.requestStop(runId);
    }

    public Run find(String runId) throws IOException {
        return runs.find(runId).orElseThrow();
    }

    public Runs runs() {
        return runs;
    }
}
