package dev.stet.registry;

import dev.stet.config.ConfigException;
import dev.stet.run.Engine;
import dev.stet.run.LedgerPlace;
import dev.stet.run.RunListener;
import dev.stet.run.RunOptions;
import dev.stet.run.RunResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Executes one run of the registry with the engine of this machine: live counters while it goes, an end that is asked for, and the exact outcome. */
public final class LocalRun {
    private static final long LOOK_MILLIS = 300;

    private final Runs runs;
    private final Engine engine;
    private final Path folder;

    /** @param folder of the registry; the ledgers of its pipelines lie in it */
    public LocalRun(Runs runs, Engine engine, Path folder) {
        this.runs = runs;
        this.engine = engine;
        this.folder = folder;
    }

    /** Where the ledger of a pipeline lies: another sink is another ledger. */
    public static Path state(Path folder, PipelineDefinition definition) {
        String sink = UUID.nameUUIDFromBytes(definition.sinkText().getBytes(StandardCharsets.UTF_8))
                .toString();
        return folder.resolve("pipelines").resolve(definition.name() + "-" + sink.substring(0, 8));
    }

    /**
     * Runs to the end.
     *
     * @param finished hears of the result, when there is one
     * @return the run as it ended
     */
    public Run execute(String runId, RunListener listener, Consumer<RunResult> finished)
            throws IOException, RegistryException {
        Optional<Run> found = runs.find(runId);
        if (found.isEmpty()) {
            throw Runs.unknown(runId);
        }
        if (found.get().status() != RunStatus.RUNNING) {
            // Asked to stop before it began.
            return runs.finish(runId, RunStatus.STOPPED, Optional.empty(), Optional.empty());
        }
        Told told = new Told(listener);
        Pulse pulse = new Pulse(runId);
        try {
            RunResult result = run(found.get().definition(), told);
            pulse.close();
            finished.accept(result);
            RunStatus status = result.stopped() ? RunStatus.STOPPED : RunStatus.SUCCEEDED;
            return runs.finish(
                    runId,
                    status,
                    told.lastUnreadable(),
                    Optional.of(new Run.Outcome(
                            RunTotals.of(result.counters()),
                            Optional.of(result.counters().digest().toString()),
                            Optional.of(
                                    LocalLauncher.report(folder, runId).toUri().toString()))));
        } catch (ConfigException e) {
            throw failed(runId, pulse, new IOException(e.getMessage(), e));
        } catch (IOException e) {
            throw failed(runId, pulse, e);
        } catch (RuntimeException | Error e) {
            IOException _ = failed(runId, pulse, new IOException("internal error: " + e, e));
            throw e;
        }
    }

    private IOException failed(String runId, Pulse pulse, IOException why) throws IOException, RegistryException {
        pulse.close();
        String message = Optional.ofNullable(why.getMessage()).orElse("input or output failed");
        Run _ = runs.finish(runId, RunStatus.FAILED, Optional.of(message), Optional.empty());
        return why;
    }

    /** What is changed in the registry is meant, so a changed transform needs no second word. */
    private RunResult run(PipelineDefinition definition, RunListener listener) throws ConfigException, IOException {
        RunOptions options = new RunOptions(
                LedgerPlace.EMBEDDED,
                Optional.of(state(folder, definition)),
                Optional.empty(),
                Optional.empty(),
                Runtime.getRuntime().availableProcessors(),
                Optional.empty(),
                true,
                false,
                true);
        return engine.run(definition.config(), options, listener);
    }

    /** Passes on what the engine tells, and keeps the last object that could not be read. */
    private static final class Told implements RunListener {
        private final RunListener listener;
        private volatile Optional<String> lastUnreadable = Optional.empty();

        Told(RunListener listener) {
            this.listener = listener;
        }

        Optional<String> lastUnreadable() {
            return lastUnreadable;
        }

        @Override
        public void phase(String name) {
            listener.phase(name);
        }

        @Override
        public void unreadable(String source, String reason, String message) {
            lastUnreadable = Optional.of("not read (" + reason + "): " + source + ": " + message);
            listener.unreadable(source, reason, message);
        }

        @Override
        public void replaced(String source) {
            listener.replaced(source);
        }

        @Override
        public void note(String text) {
            listener.note(text);
        }
    }

    /** Tells the registry how far the run is, and the engine when it is to stop. */
    private final class Pulse implements AutoCloseable {
        private final String runId;
        private final CountDownLatch over = new CountDownLatch(1);
        private final Thread thread = new Thread(this::beat, "stet-pulse");
        private RunTotals told = RunTotals.NONE;

        Pulse(String runId) {
            this.runId = runId;
            thread.setDaemon(true);
            thread.start();
        }

        private void beat() {
            try {
                while (!over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    once();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void once() {
            try {
                if (runs.shouldStop(runId)) {
                    engine.stop();
                }
                tell();
            } catch (IOException e) {
                // The next look may succeed; the outcome is set at the end and fails loudly.
            }
        }

        private void tell() throws IOException {
            RunTotals now = RunTotals.of(engine.counters());
            if (!now.equals(told)) {
                runs.add(runId, now.minus(told));
                told = now;
            }
        }

        /** The last figures, for a run that has no outcome. */
        @Override
        public void close() throws IOException {
            over.countDown();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            tell();
        }
    }
}
