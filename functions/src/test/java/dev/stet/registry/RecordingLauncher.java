package dev.stet.registry;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Notes what it is asked to start, and takes runs for lost when told to. */
final class RecordingLauncher implements RunLauncher {
    final List<String> started = new ArrayList<>();
    final List<String> startedAgain = new ArrayList<>();
    final Map<String, String> lost = new HashMap<>();
    Optional<IOException> fault = Optional.empty();

    @Override
    public void check(PipelineDefinition definition) throws RegistryException {
        if (!definition.isS3Only()) {
            throw RegistryException.invalid("source", "source, sink: a directory cannot be run here");
        }
    }

    @Override
    public synchronized void start(Run run) throws IOException {
        if (fault.isPresent()) {
            throw fault.get();
        }
        started.add(run.runId());
    }

    @Override
    public synchronized void startAgain(Run run) {
        startedAgain.add(run.runId());
    }

    @Override
    public synchronized Optional<String> lost(Run run) {
        return Optional.ofNullable(lost.get(run.runId()));
    }
}
