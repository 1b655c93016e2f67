package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.PipelineConfig;
import dev.stet.run.Engine;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.util.List;

/** Runs a pipeline and tells of it. */
final class Runner {
    /** One pass, or on and on. */
    enum Mode {
        ONCE,
        WATCH
    }

    private final Surroundings surroundings;
    private final Errors errors;

    Runner(Surroundings surroundings, Errors errors) {
        this.surroundings = surroundings;
        this.errors = errors;
    }

    /**
     * Runs to the end. A fault of the run is reported here, before whoever waits for the run at shutdown goes on.
     *
     * @return the exit code
     * @throws ConfigException the flags cannot be read; nothing was started
     */
    int run(PipelineConfig pipeline, List<String> notes, RunFlags flags, Mode mode) throws ConfigException {
        RunOptions options = flags.options(surroundings.workingDirectory());
        OutputMode output = flags.output(surroundings.terminal());
        Engine engine = surroundings.engines().get();
        try (Drain drain = new Drain(engine::stop)) {
            drain.arm();
            try (Reporter reporter = reporter(output, engine, pipeline, options)) {
                notes.forEach(reporter::note);
                RunResult result = mode == Mode.ONCE
                        ? engine.run(pipeline, options, reporter)
                        : engine.watch(pipeline, options, reporter);
                reporter.finished(result);
                return result.incomplete() ? ExitCode.INCOMPLETE : ExitCode.OK;
            } catch (Throwable e) {
                // Whatever it is, users get one line; the reporter is closed by now, so nothing draws over it.
                return errors.report(e, flags.debug);
            }
        }
    }

    private Reporter reporter(OutputMode output, Engine engine, PipelineConfig pipeline, RunOptions options) {
        Summary summary = new Summary(pipeline, options);
        return switch (output) {
            case JSON -> new JsonReporter(surroundings.out());
            case TEXT -> new TextReporter(surroundings.out(), surroundings.err(), summary);
            case PROGRESS -> {
                ProgressLine line = new ProgressLine(
                        surroundings.err(),
                        surroundings.terminal().columns(surroundings.environment()),
                        engine::counters);
                line.start();
                yield new ProgressReporter(line, new TextReporter(surroundings.out(), surroundings.err(), summary));
            }
        };
    }
}
