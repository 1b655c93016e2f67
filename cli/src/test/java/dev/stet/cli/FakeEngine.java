package dev.stet.cli;

import dev.stet.audit.Digest;
import dev.stet.config.ConfigException;
import dev.stet.config.PipelineConfig;
import dev.stet.run.Engine;
import dev.stet.run.RunCounters;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Does what a test tells it to, and remembers what it was asked for. */
final class FakeEngine implements Engine {
    interface Work {
        RunResult run(RunListener listener) throws ConfigException, IOException;
    }

    record Request(boolean watch, PipelineConfig pipeline, RunOptions options) {}

    static final RunCounters COUNTERS = new RunCounters(
            3, 4, 0, 4487, Map.of(), 20, 1_234_567, 1_000_000, 1_000_000, new Digest(4487, 1_234_567, 1, 2), true);

    final List<Request> requests = new ArrayList<>();
    private final Work work;

    FakeEngine(Work work) {
        this.work = work;
    }

    static RunResult result(RunCounters counters) {
        return new RunResult(counters, 1234, false);
    }

    static RunCounters counters(
            long objects, long unreadable, long records, Map<String, Long> quarantined, long landed) {
        return new RunCounters(
                objects, 0, unreadable, records, quarantined, landed, 10, 10, 10, new Digest(records, 10, 0, 0), true);
    }

    @Override
    public RunResult run(PipelineConfig pipeline, RunOptions options, RunListener listener)
            throws ConfigException, IOException {
        requests.add(new Request(false, pipeline, options));
        return work.run(listener);
    }

    @Override
    public RunResult watch(PipelineConfig pipeline, RunOptions options, RunListener listener)
            throws ConfigException, IOException {
        requests.add(new Request(true, pipeline, options));
        return work.run(listener);
    }

    @Override
    public RunCounters counters() {
        return COUNTERS;
    }

    @Override
    public void stop() {}
}
