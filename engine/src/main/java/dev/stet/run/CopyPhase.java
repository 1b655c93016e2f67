package dev.stet.run;

import dev.stet.copy.CopyTask;
import dev.stet.copy.CopyWorker;
import dev.stet.copy.RangeScanner;
import dev.stet.copy.ScanLimits;
import dev.stet.copy.TodoObject;
import dev.stet.fanout.FanOut;
import dev.stet.ledger.Ledger;
import dev.stet.store.KeyRange;
import dev.stet.store.SourceStore;
import dev.stet.store.Unlistable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Scans the source once and has workers copy what the scan finds. Tasks go out in key order, so that what lands early is whole days of the archive; between
 * them, buffers that are due land. What workers leave over (staging was full) goes out again.
 */
final class CopyPhase {
    private final SourceStore source;
    private final Ledger ledger;
    private final Predicate<String> wanted;
    private final ScanLimits limits;
    private final int threads;
    private final Supplier<CopyWorker> workers;
    private final RunMeter meter;
    private final Land landIfDue;
    private final BooleanSupplier stop;
    private final Queue<CopyTask> left = new ConcurrentLinkedQueue<>();

    /** A step that may land what is due. */
    interface Land {
        void run() throws IOException;
    }

    CopyPhase(
            SourceStore source,
            Ledger ledger,
            Predicate<String> wanted,
            ScanLimits limits,
            int threads,
            Supplier<CopyWorker> workers,
            RunMeter meter,
            Land landIfDue,
            BooleanSupplier stop) {
        this.source = source;
        this.ledger = ledger;
        this.wanted = wanted;
        this.limits = limits;
        this.threads = threads;
        this.workers = workers;
        this.meter = meter;
        this.landIfDue = landIfDue;
        this.stop = stop;
    }

    void run() throws IOException {
        try (FanOut<CopyTask> out = fanOut()) {
            RangeScanner scanner = new RangeScanner(source, ledger, wanted, limits, new Handler(out), stop);
            if (scanner.scan(KeyRange.ALL).isEmpty()) {
                meter.listingDone();
            }
            out.finish();
        }
        while (!left.isEmpty() && !stop.getAsBoolean()) {
            landIfDue.run();
            List<CopyTask> again = takeLeft();
            try (FanOut<CopyTask> out = fanOut()) {
                for (CopyTask task : again) {
                    out.submit(task);
                }
                out.finish();
            }
        }
    }

    private FanOut<CopyTask> fanOut() {
        return new FanOut<>("copy", threads, () -> {
            CopyWorker worker = workers.get();
            return task -> {
                List<TodoObject> rest = worker.work(task);
                if (!rest.isEmpty()) {
                    left.add(CopyTask.of(rest));
                }
            };
        });
    }

    private List<CopyTask> takeLeft() {
        List<CopyTask> taken = new ArrayList<>();
        for (Optional<CopyTask> t = Optional.ofNullable(left.poll());
                t.isPresent();
                t = Optional.ofNullable(left.poll())) {
            taken.add(t.get());
        }
        return taken;
    }

    private final class Handler implements RangeScanner.ScanHandler {
        private final FanOut<CopyTask> out;

        Handler(FanOut<CopyTask> out) {
            this.out = out;
        }

        @Override
        public void task(CopyTask task, String after) throws IOException {
            landIfDue.run();
            meter.planned(task.bytes());
            out.submit(task);
        }

        @Override
        public void skipped() {
            meter.skipped();
        }

        @Override
        public void unlistable(Unlistable entry) {
            meter.unreadable(entry.key(), "unreadable", entry.why());
        }
    }
}
