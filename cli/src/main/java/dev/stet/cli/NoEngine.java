package dev.stet.cli;

import dev.stet.audit.Digest;
import dev.stet.config.PipelineConfig;
import dev.stet.run.Engine;
import dev.stet.run.RunCounters;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.io.IOException;
import java.util.Map;

/** Stands in until the engine is there. */
final class NoEngine implements Engine {
    @Override
    public RunResult run(PipelineConfig pipeline, RunOptions options, RunListener listener) throws IOException {
        throw new IOException("this build has no engine yet");
    }

    @Override
    public RunResult watch(PipelineConfig pipeline, RunOptions options, RunListener listener) throws IOException {
        throw new IOException("this build has no engine yet");
    }

    @Override
    public RunCounters counters() {
        return new RunCounters(0, 0, 0, 0, Map.of(), 0, 0, 0, 0, Digest.EMPTY, false);
    }

    @Override
    public void stop() {}
}
