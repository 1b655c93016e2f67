package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.config.PipelineConfig;
import java.io.IOException;

/** Runs one pipeline on this machine. Not reused. */
public interface Engine {
    /**
     * Copies what is new and, unless told otherwise, lands it. Blocks.
     *
     * @throws ConfigException the request does not fit the state, source or sink (exit code 2)
     * @throws IOException the run failed (exit code 1); its message is for the user
     */
    RunResult run(PipelineConfig pipeline, RunOptions options, RunListener listener)
            throws ConfigException, IOException;

    /** Like {@link #run} again and again as new objects come, landing buffers when they are due, until {@link #stop}. */
    RunResult watch(PipelineConfig pipeline, RunOptions options, RunListener listener)
            throws ConfigException, IOException;

    /** What the run did so far; any thread. */
    RunCounters counters();

    /** Asks the run to commit what is whole and end; returns at once. Any thread. */
    void stop();
}
