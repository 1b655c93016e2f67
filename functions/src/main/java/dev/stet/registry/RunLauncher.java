package dev.stet.registry;

import java.io.IOException;
import java.util.Optional;

/** Brings runs of type copy to life. Thread-safe. */
public interface RunLauncher {
    /**
     * Refuses a pipeline that could never run here.
     *
     * @throws RegistryException naming the field that cannot be so
     */
    void check(PipelineDefinition definition) throws RegistryException;

    /**
     * Starts a new run; returns when something is on its way that will end it.
     *
     * @throws IOException it was not started
     */
    void start(Run run) throws IOException, RegistryException;

    /** As {@link #start}, for a run that may have been started already by this very call, whose answer was lost. */
    void startAgain(Run run) throws IOException, RegistryException;

    /** Why a run that has not ended never will, when that is certain: whoever worked on it is gone. */
    Optional<String> lost(Run run) throws IOException;
}
