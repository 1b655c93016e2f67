package dev.stet.task;

import dev.stet.copy.Backoff;
import dev.stet.copy.CommitIds;
import dev.stet.copy.Committer;
import dev.stet.copy.CopyTask;
import dev.stet.copy.CopyWorker;
import dev.stet.copy.LeaseKeeper;
import dev.stet.copy.ObjectLookup;
import dev.stet.copy.RangeScanner;
import dev.stet.copy.ScanLimits;
import dev.stet.copy.TodoObject;
import dev.stet.copy.WorkerSettings;
import dev.stet.fanout.FanOut;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.Page;
import dev.stet.ledger.PageEntries;
import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceStore;
import dev.stet.store.UnknownOutcomeException;
import dev.stet.store.Unlistable;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/**
 * Copies one task of a fan-out and says what is left of it: the whole of a stateless copy worker. Commits as it goes, so a worker that is killed loses at most
 * what it had not committed, and whoever works on the task again copies only that. Any number of workers may have the same task. Not thread-safe; reused from
 * task to task.
 */
public final class TaskCopier {
    private final SourceStore source;
    private final ObjectStore staging;
    private final Ledger ledger;
    private final Predicate<String> wanted;
    private final ScanLimits limits;
    private final int threads;
    private final WorkerSettings settings;
    private final CommitIds ids;
    private final LeaseKeeper leases;
    private final Clock clock;
    private final Backoff backoff;

    /**
     * A worker for one pipeline.
     *
     * @param wanted which keys are to be copied
     * @param threads objects read side by side; each holds {@code settings.memory()}
     * @param settings its {@code stop} tells when the deadline is near (see {@link Deadline})
     * @param ids made after a restore from a snapshot: no two workers may share its randomness
     * @param leases renews while the worker lives; closed by whoever made it
     */
    public TaskCopier(
            SourceStore source,
            ObjectStore staging,
            Ledger ledger,
            Predicate<String> wanted,
            ScanLimits limits,
            int threads,
            WorkerSettings settings,
            CommitIds ids,
            LeaseKeeper leases,
            Clock clock,
            Backoff backoff) {
        this.source = source;
        this.staging = staging;
        this.ledger = ledger;
        this.wanted = wanted;
        this.limits = limits;
        this.threads = threads;
        this.settings = settings;
        this.ids = ids;
        this.leases = leases;
        this.clock = clock;
        this.backoff = backoff;
    }

    /** Some objects of a task, and the last key before them; all up to there was handed out or needs no copy. */
    private record Handed(CopyTask task, String before) {}

    /**
     * Copies and commits what is new in the task.
     *
     * @throws IOException when the task failed; what was committed before stays, and the task can be worked on again
     */
    public TaskResult copy(SourceTask task) throws IOException {
        CopyTally tally = new CopyTally();
        List<SourceTask> left = switch (task) {
            case SourceTask.Range r -> copyRange(r.range(), tally);
            case SourceTask.Objects o -> copyObjects(o.keys(), tally);
        };
        return new TaskResult(tally.counters(), left);
    }

    private List<SourceTask> copyRange(KeyRange range, CopyTally tally) throws IOException {
        beginPage(range);
        Queue<String> leftAfter = new ConcurrentLinkedQueue<>();
        try (FanOut<Handed> out = fanOut(tally, (handed, left) -> leftAfter.add(keyBefore(left, handed)))) {
            RangeHandler handler = new RangeHandler(out, tally);
            new RangeScanner(source, ledger, wanted, limits, handler, settings.stop())
                    .scan(range)
                    .ifPresent(rest -> leftAfter.add(rest.after()));
            out.finish();
        }
        return leftAfter.stream()
                .min(KeyOrder.UTF8)
                .<SourceTask>map(after -> new SourceTask.Range(new KeyRange(after, range.upTo())))
                .stream()
                .toList();
    }

    /** A key before the first object left, with nothing left before it. */
    private static String keyBefore(List<TodoObject> left, Handed handed) {
        String first = left.stream().map(o -> o.info().key()).min(KeyOrder.UTF8).orElseThrow();
        return handed.task().objects().stream()
                .map(o -> o.info().key())
                .filter(k -> KeyOrder.compare(k, first) < 0)
                .max(KeyOrder.UTF8)
                .orElse(handed.before());
    }

    /** Where nothing is copied yet, the range gets a page of its own, so that workers of neighbouring tasks do not wait for each other. */
    private void beginPage(KeyRange range) throws IOException {
        if (range.after().isEmpty()) {
            return;
        }
        Page page = ledger.pageAfter(range.after());
        if (page.after().equals(range.after()) || page.entries().size() > 0) {
            return;
        }
        try {
            // Refused: somebody was faster, which is as good.
            Ledger.Outcome _ = ledger.split(page, range.after(), PageEntries.EMPTY, PageEntries.EMPTY);
        } catch (UnknownOutcomeException e) {
            // The scan looks the page up as it is.
        }
    }

    private List<SourceTask> copyObjects(List<String> keys, CopyTally tally) throws IOException {
        ObjectLookup lookup = new ObjectLookup(source, ledger);
        Queue<String> left = new ConcurrentLinkedQueue<>();
        try (FanOut<Handed> out = fanOut(
                tally,
                (handed, objects) -> objects.forEach(o -> left.add(o.info().key())))) {
            ObjectCutter cutter = new ObjectCutter(out);
            for (String key : keys) {
                if (settings.stop().getAsBoolean()) {
                    left.add(key);
                } else if (wanted.test(key)) {
                    switch (lookup.find(key)) {
                        case ObjectLookup.Found.Todo t -> cutter.add(t.object(), lookup.pages());
                        case ObjectLookup.Found.Settled _ -> tally.skipped();
                        case ObjectLookup.Found.Gone _ -> tally.gone();
                    }
                }
            }
            cutter.end();
            out.finish();
        }
        return left.isEmpty() ? List.of() : List.of(new SourceTask.Objects(List.copyOf(left)));
    }

    /** Hears what of a task's objects a worker left. */
    private interface Left {
        void objects(Handed handed, List<TodoObject> left);
    }

    private FanOut<Handed> fanOut(CopyTally tally, Left left) {
        Committer committer = new Committer(ledger, backoff);
        return new FanOut<>("copy", threads, () -> {
            CopyWorker worker = new CopyWorker(source, staging, ledger, committer, ids, leases, clock, settings, tally);
            return handed -> {
                List<TodoObject> rest = worker.work(handed.task());
                if (!rest.isEmpty()) {
                    left.objects(handed, rest);
                }
            };
        });
    }

    /** Cuts objects found one by one into what a worker commits at once. */
    private final class ObjectCutter {
        private final FanOut<Handed> out;
        private final List<TodoObject> objects = new ArrayList<>();
        private long bytes;
        private int pagesBefore;

        ObjectCutter(FanOut<Handed> out) {
            this.out = out;
        }

        /** @param pages looked at up to this object */
        void add(TodoObject object, int pages) throws IOException {
            if (objects.isEmpty()) {
                pagesBefore = pages - 1;
            }
            objects.add(object);
            bytes += object.info().size();
            if (objects.size() >= limits.taskObjects()
                    || bytes >= limits.taskBytes()
                    || pages - pagesBefore >= limits.taskPages()) {
                end();
            }
        }

        void end() throws IOException {
            if (!objects.isEmpty()) {
                out.submit(new Handed(new CopyTask(objects, bytes), ""));
                objects.clear();
                bytes = 0;
            }
        }
    }

    /** Passes on what the scan finds. */
    private record RangeHandler(FanOut<Handed> out, CopyTally tally) implements RangeScanner.ScanHandler {
        @Override
        public void task(CopyTask task, String after) throws IOException {
            out.submit(new Handed(task, after));
        }

        @Override
        public void skipped() {
            tally.skipped();
        }

        @Override
        public void unlistable(Unlistable entry) {
            tally.unreadable(entry.key(), "unreadable", entry.why());
        }
    }
}
