package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.config.PipelineConfig;
import dev.stet.store.CaseProbe;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The engine of one machine: threads, and by default a SQLite ledger. */
public final class LocalEngine implements Engine {
    private static final long MIN_POLL_MILLIS = 1_000;
    private static final long MAX_POLL_MILLIS = 60_000;

    private final Machine machine;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile Optional<RunMeter> meter = Optional.empty();

    /** Directories only. */
    public LocalEngine() {
        this(Stores.NONE);
    }

    /** Copies between directories and more. @param stores opens what is no directory */
    public LocalEngine(Stores stores) {
        this(stores, Ledgers.NONE);
    }

    /** Copies between directories and more. @param stores opens what is no directory @param ledgers opens what is no file */
    public LocalEngine(Stores stores, Ledgers ledgers) {
        this(new Machine(stores, ledgers, System.getenv(), Clock.systemUTC(), CaseProbe.FILES));
    }

    LocalEngine(Machine machine) {
        this.machine = machine;
    }

    @Override
    public RunResult run(PipelineConfig pipeline, RunOptions options, RunListener listener)
            throws ConfigException, IOException {
        long start = System.nanoTime();
        try (Session session = open(pipeline, options, listener, false)) {
            session.recover();
            session.copy();
            if (!stopped() && (options.flush() || session.due())) {
                session.land();
            }
            session.tidy();
            return result(session, start);
        }
    }

    @Override
    public RunResult watch(PipelineConfig pipeline, RunOptions options, RunListener listener)
            throws ConfigException, IOException {
        long start = System.nanoTime();
        try (Session session = open(pipeline, options, listener, true)) {
            session.recover();
            while (!stopped()) {
                long scanStart = System.nanoTime();
                boolean copied = session.copy();
                long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - scanStart);
                // A look that found something took its time for copying.
                long wait = copied ? MIN_POLL_MILLIS : Math.clamp(took * 10, MIN_POLL_MILLIS, MAX_POLL_MILLIS);
                landWhatIsDue(session, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait));
            }
            session.tidy();
            return result(session, start);
        }
    }

    /** Waits for the time of the next look, and lands buffers when they are due meanwhile. */
    private void landWhatIsDue(Session session, long nextLook) throws IOException {
        while (!stopped()) {
            if (session.due()) {
                session.land();
            }
            long left = TimeUnit.NANOSECONDS.toMillis(nextLook - System.nanoTime());
            if (left <= 0) {
                return;
            }
            pause(Math.min(left, Math.max(1, session.millisUntilDue())));
        }
    }

    private Session open(PipelineConfig pipeline, RunOptions options, RunListener listener, boolean watching)
            throws ConfigException, IOException {
        Session session = Session.open(pipeline, options, listener, machine, watching, this::stopped);
        meter = Optional.of(session.meter());
        return session;
    }

    private RunResult result(Session session, long start) {
        return new RunResult(
                session.meter().counters(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start), stopped());
    }

    private void pause(long millis) {
        try {
            boolean _ = stop.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
    }

    private boolean stopped() {
        return stop.getCount() == 0;
    }

    @Override
    public RunCounters counters() {
        return meter.map(RunMeter::counters).orElse(RunCounters.NONE);
    }

    @Override
    public void stop() {
        stop.countDown();
    }
}
