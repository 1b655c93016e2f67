package dev.stet.copy;

import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.Ledger;
import dev.stet.record.Framer;
import dev.stet.route.Router;
import dev.stet.stage.BundleBuilder;
import dev.stet.store.KeyOrder;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceReads;
import dev.stet.store.SourceStore;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Works tasks off: stages the records of a task's objects in one bundle and commits it. One thread; reused from task to task. */
public final class CopyWorker {
    private final SourceStore source;
    private final ObjectStore staging;
    private final Ledger ledger;
    private final Committer committer;
    private final CommitIds ids;
    private final LeaseKeeper leases;
    private final Clock clock;
    private final WorkerSettings settings;
    private final CopyMeter meter;
    private final Framer framer;
    private final Router router;
    private final PartCopier parts;

    public CopyWorker(
            SourceStore source,
            ObjectStore staging,
            Ledger ledger,
            Committer committer,
            CommitIds ids,
            LeaseKeeper leases,
            Clock clock,
            WorkerSettings settings,
            CopyMeter meter) {
        this.source = source;
        this.staging = staging;
        this.ledger = ledger;
        this.committer = committer;
        this.ids = ids;
        this.leases = leases;
        this.clock = clock;
        this.settings = settings;
        this.meter = meter;
        this.framer = settings.framer().get();
        this.router = settings.router().get();
        this.parts =
                new PartCopier(source, staging, ledger, committer, ids, leases, clock, settings, meter, framer, router);
    }

    /**
     * Copies and commits the task's objects.
     *
     * @return objects left over, because staging is full or the run is to stop; empty when the task is done
     */
    public List<TodoObject> work(CopyTask task) throws IOException {
        List<TodoObject> left = new ArrayList<>();
        List<TodoObject> todo = new ArrayList<>();
        List<TodoObject> large = new ArrayList<>();
        for (TodoObject o : task.objects()) {
            (PartCopier.takes(o.info(), settings.parts()) ? large : todo).add(o);
        }
        workWhole(todo, left);
        for (TodoObject o : large) {
            if (!parts.copy(o)) {
                left.add(o);
            }
        }
        left.sort(Comparator.comparing(o -> o.info().key(), KeyOrder.UTF8));
        return left;
    }

    /** One that takes too long for that is copied in parts at once, while there is time, and then those behind it. */
    private void workWhole(List<TodoObject> objects, List<TodoObject> left) throws IOException {
        List<TodoObject> todo = objects;
        while (!todo.isEmpty()) {
            Attempt attempt = attempt(todo);
            left.addAll(attempt.left);
            todo = new ArrayList<>(attempt.lost ? lookAgain(attempt.mine) : List.of());
            if (attempt.slow.isPresent() && !parts.copy(attempt.slow.get())) {
                left.add(attempt.slow.get());
            }
            todo.addAll(attempt.behind);
        }
    }

    /** One commit, and what became of it. */
    private static final class Attempt {
        private final List<CopiedObject> copied = new ArrayList<>();
        /** The objects that {@link #copied} tells of. */
        private List<TodoObject> mine = new ArrayList<>();

        private List<TodoObject> left = List.of();
        private Optional<TodoObject> slow = Optional.empty();
        /** Behind the slow one; not looked at. */
        private List<TodoObject> behind = List.of();

        private long withContent;
        private boolean lost;
    }

    private Attempt attempt(List<TodoObject> todo) throws IOException {
        String id = ids.next();
        Attempt attempt = new Attempt();
        BegunCommit begun = new BegunCommit(id, staging, committer, leases, clock);
        try (SourceReads reads =
                        source.reads(todo.stream().map(TodoObject::info).toList());
                BundleBuilder bundle =
                        new BundleBuilder(staging, id, settings.codec(), settings.memory(), begun::ensure)) {
            Patience patience = new Patience(settings, clock);
            ObjectCopier copier = new ObjectCopier(source, reads, framer, router, bundle, meter, patience);
            boolean ended = false;
            try {
                copyAll(todo, copier, patience, bundle, attempt);
                if (!attempt.copied.isEmpty()) {
                    finish(id, begun, copier, bundle, attempt);
                }
                ended = !attempt.copied.isEmpty() && !attempt.lost;
            } catch (CommitLostException e) {
                attempt.lost = true;
                attempt.mine = todo;
                attempt.left = List.of();
                attempt.slow = Optional.empty();
                attempt.behind = List.of();
            } finally {
                begun.end(ended, bundle);
            }
        }
        return attempt;
    }

    private void copyAll(
            List<TodoObject> todo, ObjectCopier copier, Patience patience, BundleBuilder bundle, Attempt attempt)
            throws IOException {
        for (int i = 0; i < todo.size(); i++) {
            boolean full = bundle.staged() > 0 && settings.stagingFull().test(bundle.staged());
            if (full || settings.stop().getAsBoolean()) {
                attempt.left = todo.subList(i, todo.size());
                return;
            }
            TodoObject object = todo.get(i);
            patience.begin(object.info());
            try {
                switch (copier.copy(object)) {
                    case ObjectCopier.Copied.Done done -> {
                        attempt.mine.add(object);
                        attempt.copied.add(CopiedObject.of(done.identity(), object.before()));
                        attempt.withContent += done.empty() ? 0 : 1;
                    }
                    case ObjectCopier.Copied.Known _ -> meter.skipped();
                    case ObjectCopier.Copied.Unreadable _ -> {}
                }
            } catch (StoppedException e) {
                if (!settings.stop().getAsBoolean()) {
                    attempt.slow = Optional.of(object);
                    attempt.behind = todo.subList(i + 1, todo.size());
                    return;
                }
                attempt.left = todo.subList(i, todo.size());
                return;
            }
        }
    }

    private void finish(String id, BegunCommit begun, ObjectCopier copier, BundleBuilder bundle, Attempt attempt)
            throws IOException {
        CommitDetails details = begun.complete(bundle, copier.records(), copier.setAside(), attempt.copied.size());
        attempt.lost = committer.commit(id, details, attempt.copied) == Committer.Result.LOST;
        if (!attempt.lost) {
            report(attempt, details);
        }
    }

    private void report(Attempt attempt, CommitDetails details) {
        meter.committed(attempt.withContent, details);
        for (long i = attempt.withContent; i < attempt.copied.size(); i++) {
            meter.skipped();
        }
        for (CopiedObject o : attempt.copied) {
            if (o.before().isPresent()) {
                meter.replaced(o.identity().key());
            }
        }
    }

    /** What the ledger and the source say of the objects now. */
    private List<TodoObject> lookAgain(List<TodoObject> todo) throws IOException {
        List<TodoObject> again = new ArrayList<>();
        ObjectLookup lookup = new ObjectLookup(source, ledger);
        for (TodoObject o : todo) {
            lookup.again(o.info().key(), meter).ifPresent(again::add);
        }
        return again;
    }
}
