package dev.stet.compact;

import dev.stet.fanout.FanOut;
import dev.stet.ledger.Compaction;
import dev.stet.ledger.Ledger;
import dev.stet.stage.ReadsAhead;
import dev.stet.store.ObjectStore;
import java.io.IOException;
import java.util.Optional;

/**
 * Whole compactions in one process (design §6): plans and lands at once, by threads. Anyone may go on with an OPEN generation or repeat any of its steps; two at once
 * do no harm. Every output is read back before a commit is retired.
 */
public final class Compactor {
    private final ObjectStore staging;
    private final ObjectStore sink;
    private final CompactorSettings settings;
    private final LandingMeter meter;
    private final Generations generations;

    public Compactor(
            Ledger ledger, ObjectStore staging, ObjectStore sink, CompactorSettings settings, LandingMeter meter) {
        this.staging = staging;
        this.sink = sink;
        this.settings = settings;
        this.meter = meter;
        this.generations = new Generations(ledger, staging, sink, settings);
    }

    /** Goes on with the OPEN generation, if there is one. */
    public boolean resume() throws IOException {
        Optional<Compaction> open = generations.open();
        if (open.isEmpty()) {
            return false;
        }
        run(open.get(), true);
        return true;
    }

    /** Lands everything committed, after finishing what is OPEN. @return whether there was anything to land */
    public boolean land() throws IOException {
        boolean any = false;
        while (generations.openOrNext() instanceof Generations.Current.Open open) {
            run(open.compaction(), !open.fresh());
            any = true;
            if (open.fresh() && !open.more()) {
                break;
            }
        }
        return any;
    }

    private void run(Compaction compaction, boolean resumed) throws IOException {
        Header header = generations.header(compaction);
        if (!generations.anyRetired(header)) {
            try {
                landAll(header, resumed);
                generations.abortOpenUploads(header);
            } catch (LandingStoppedException e) {
                throw e;
            } catch (IOException e) {
                // Another one was faster, and the bundles may be swept already: then all is landed.
                if (!generations.anyRetired(header)) {
                    throw e;
                }
            }
        }
        generations.close(header);
    }

    private void landAll(Header header, boolean resumed) throws IOException {
        long share = Math.max(1, settings.memory() / (settings.threads() + 1));
        try (FanOut<LandingTask> lander =
                new FanOut<>("land", settings.threads(), () -> worker(header, share, resumed))) {
            TaskCutter cutter = new TaskCutter(settings.limits(), (task, from, to) -> lander.submit(task));
            try (ReadsAhead reads = ReadsAhead.of(settings.reads())) {
                new CompactionPlan(header, RunHeads.all(header, staging, share, reads), cutter).walk();
            }
            cutter.end();
            lander.finish();
        }
    }

    private FanOut.Worker<LandingTask> worker(Header header, long memory, boolean resumed) {
        Lander lander = new Lander(header, staging, sink, memory, settings.stop(), meter);
        return new FanOut.Worker<>() {
            @Override
            public void work(LandingTask task) throws IOException {
                lander.land(task, resumed);
            }

            @Override
            public void close() {
                lander.close();
            }
        };
    }
}
