package dev.stet.run;

import dev.stet.codec.SliceCodec;
import dev.stet.compact.Compactor;
import dev.stet.compact.CompactorSettings;
import dev.stet.compact.LandingStoppedException;
import dev.stet.compact.Sweeper;
import dev.stet.compact.TaskLimits;
import dev.stet.config.ConfigException;
import dev.stet.config.PipelineConfig;
import dev.stet.config.SinkCompression;
import dev.stet.copy.Backoff;
import dev.stet.copy.CommitIds;
import dev.stet.copy.Committer;
import dev.stet.copy.CopyWorker;
import dev.stet.copy.LeaseKeeper;
import dev.stet.copy.ScanLimits;
import dev.stet.copy.WorkerSettings;
import dev.stet.ledger.Ledger;
import dev.stet.record.JsonFramer;
import dev.stet.route.Router;
import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.BooleanSupplier;

/** One run on one machine, from the lock on its state to its release: recover, copy, land, tidy. One thread drives it. */
final class Session implements Closeable {
    private static final int MIN_MEMORY = 1 << 20;

    private final PipelineConfig pipeline;
    private final RunOptions options;
    private final RunListener listener;
    private final Workplace place;
    private final Clock clock;
    private final BooleanSupplier stop;
    private final Buffers buffers;
    private final RunMeter meter;
    private final Sweeper sweeper;
    private final Compactor compactor;
    private final LeaseKeeper leases;
    private final long memory;

    private Session(
            PipelineConfig pipeline,
            RunOptions options,
            RunListener listener,
            Workplace place,
            Clock clock,
            BooleanSupplier stop)
            throws IOException {
        this.pipeline = pipeline;
        this.options = options;
        this.listener = listener;
        this.place = place;
        this.clock = clock;
        this.stop = stop;
        this.memory = options.memory().orElse(Runtime.getRuntime().maxMemory() / 2);
        this.buffers = new Buffers(pipeline.landing(), place.stagingMax(options), clock);
        this.meter = new RunMeter(listener, buffers, clock);
        this.sweeper = new Sweeper(place.ledger(), place.staging(), clock);
        this.compactor = new Compactor(place.ledger(), place.staging(), place.sink(), compactorSettings(), meter);
        this.leases = LeaseKeeper.started(place.ledger(), clock);
    }

    /** Checks the request against what is there, and locks the state. Nothing is written to the sink if it is refused. */
    static Session open(
            PipelineConfig pipeline,
            RunOptions options,
            RunListener listener,
            Machine machine,
            boolean watching,
            BooleanSupplier stop)
            throws ConfigException, IOException {
        Workplace place = Workplace.open(pipeline, options, listener, machine, watching);
        try {
            return new Session(pipeline, options, listener, place, machine.clock(), stop);
        } catch (IOException | RuntimeException e) {
            place.close();
            throw e;
        }
    }

    private CompactorSettings compactorSettings() {
        return new CompactorSettings(
                place.pipelineId(),
                pipeline.landing().maxObjectBytes(),
                pipeline.compression() == SinkCompression.GZIP,
                place.landingThreads(options),
                memory,
                place.landingThreads(options),
                CompactorSettings.MAX_COMMITS,
                TaskLimits.THREADS,
                stop);
    }

    RunMeter meter() {
        return meter;
    }

    /** What a run that was killed left: its commits are fenced, its compaction is finished, its garbage goes. */
    void recover() throws IOException {
        sweep();
        boolean _ = landing(compactor::resume);
        buffers.refresh(place.ledger());
    }

    /** Copies what is new. @return whether there was anything */
    boolean copy() throws IOException {
        long before = meter.counters().objectsCopied();
        listener.phase("copying");
        meter.scanBegins();
        Ledger ledger = place.ledger();
        Committer committer = new Committer(ledger, Backoff.exponential());
        CommitIds ids = new CommitIds(clock, new SecureRandom());
        WorkerSettings settings = workerSettings();
        new CopyPhase(
                        place.source(),
                        ledger,
                        place.wanted(),
                        ScanLimits.DEFAULT,
                        options.threads(),
                        () -> new CopyWorker(
                                place.source(),
                                place.staging(),
                                ledger,
                                committer,
                                ids,
                                leases,
                                clock,
                                settings,
                                meter),
                        meter,
                        this::landIfDue,
                        stop)
                .run();
        return meter.counters().objectsCopied() > before;
    }

    private WorkerSettings workerSettings() {
        int prefix = place.sinkPrefixBytes();
        Router paths = new Router(pipeline.routing(), prefix);
        return new WorkerSettings(
                () -> new JsonFramer(paths.paths(), pipeline.recordFieldPath()),
                () -> new Router(pipeline.routing(), prefix),
                pipeline.compression() == SinkCompression.GZIP ? SliceCodec.GZIP : place.stagingCodec(),
                Math.max(MIN_MEMORY, memory / options.threads()),
                staged -> buffers.full(staged * options.threads()),
                stop);
    }

    long millisUntilDue() {
        return buffers.millisUntilDue();
    }

    boolean due() {
        return buffers.due();
    }

    private void landIfDue() throws IOException {
        if (due() && !stop.getAsBoolean()) {
            land();
        }
    }

    /** Lands everything committed. */
    void land() throws IOException {
        listener.phase("landing");
        boolean _ = landing(compactor::land);
        sweeper.sweep();
        buffers.refresh(place.ledger());
    }

    private interface Landing {
        boolean run() throws IOException;
    }

    private static boolean landing(Landing landing) throws IOException {
        try {
            return landing.run();
        } catch (LandingStoppedException e) {
            return false;
        }
    }

    /** Leaves no garbage in staging. */
    void tidy() throws IOException {
        sweep();
    }

    /** Who shares the ledger leaves a worker that may live its lease. */
    private void sweep() throws IOException {
        if (options.ledger() instanceof LedgerPlace.Embedded) {
            sweeper.abandonAll();
        } else {
            sweeper.abandonExpired();
        }
        sweeper.sweep();
    }

    @Override
    public void close() throws IOException {
        leases.close();
        place.close();
    }
}
