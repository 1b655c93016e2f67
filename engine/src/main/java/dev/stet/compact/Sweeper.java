package dev.stet.compact;

import dev.stet.fanout.FanOut;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Compaction;
import dev.stet.ledger.Fingerprint;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.Page;
import dev.stet.ledger.PartialCopy;
import dev.stet.stage.StagingKeys;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Removes garbage by the ledger's word alone (invariant 6): a commit whose worker is dead is fenced first, then its bytes go; bundles of RETIRED commits go once
 * their generation is DONE. Rows stay as tombstones for a week, since a late copy of a worker's first request must find them.
 */
public final class Sweeper {
    private static final Duration TOMBSTONE = Duration.ofDays(7);

    /** Commits held at once. */
    private static final int HELD = 10_000;

    private final Ledger ledger;
    private final ObjectStore staging;
    private final Clock clock;
    private final int threads;
    private final BooleanSupplier stop;

    /** One thread, that of the caller, until all is done. */
    public Sweeper(Ledger ledger, ObjectStore staging, Clock clock) {
        this(ledger, staging, clock, 1, () -> false);
    }

    /**
     * A sweeper with a limit.
     *
     * @param threads commits worked on side by side
     * @param stop asked before each commit: when true, the rest is left for the next sweep
     */
    public Sweeper(Ledger ledger, ObjectStore staging, Clock clock, int threads, BooleanSupplier stop) {
        this.ledger = ledger;
        this.staging = staging;
        this.clock = clock;
        this.threads = threads;
        this.stop = stop;
    }

    /** Fences every UPLOADING commit: for whoever holds the state alone. */
    public void abandonAll() throws IOException {
        abandon(c -> true);
    }

    /** Fences the UPLOADING commits whose lease is over. */
    public void abandonExpired() throws IOException {
        long now = clock.millis();
        abandon(c -> c.leaseUntil() < now);
    }

    private void abandon(Predicate<Commit> dead) throws IOException {
        each(CommitState.UPLOADING, dead, c -> {
            try {
                ledger.abandon(c.id());
            } catch (UnknownOutcomeException e) {
                // Whether it is ABANDONED, the next sweep sees.
            }
        });
    }

    /** Deletes what no commit needs any more. */
    public void sweep() throws IOException {
        Optional<Compaction> latest = ledger.latestCompaction();
        long done =
                latest.map(c -> c.done() ? c.generation() : c.generation() - 1).orElse(0L);
        abandonStaleParts();
        each(CommitState.ABANDONED, c -> !c.swept(), this::deleteBundle);
        each(CommitState.RETIRED, c -> !c.swept() && c.generation() <= done, this::deleteBundle);
        deletePlans(done);
        long old = clock.millis() - TOMBSTONE.toMillis();
        Predicate<Commit> forgettable = c -> c.swept() && c.changedAt() < old;
        for (CommitState state : List.of(CommitState.ABANDONED, CommitState.RETIRED)) {
            each(state, forgettable, c -> {
                // Once more: a late request of its worker may have begun an upload after the first sweep.
                deleteStaged(c);
                ledger.forget(c.id());
            });
        }
    }

    /** Of objects that were copied some other way, or replaced, since their copying in parts began; and of those that nobody has worked on for long. */
    private void abandonStaleParts() throws IOException {
        List<PartialCopy> all = new ArrayList<>();
        ledger.forEachPartialCopy(all::add);
        for (PartialCopy p : all) {
            if (stop.getAsBoolean()) {
                return;
            }
            Page page = ledger.pageOf(p.key());
            boolean asItWas =
                    page.entries().identityOf(Fingerprint.ofKey(p.key())).equals(p.before());
            if (!asItWas || p.changedAt() < clock.millis() - TOMBSTONE.toMillis()) {
                try {
                    Ledger.Outcome _ = ledger.abandonPartialCopy(p);
                } catch (UnknownOutcomeException e) {
                    // Whether its parts are ABANDONED, the next sweep sees.
                }
            }
        }
    }

    /** The files of plans whose generation is DONE, those that killed planners left unfinished too. */
    private void deletePlans(long done) throws IOException {
        String first = StagingKeys.PLANS + "plan-";
        List<String> keys = new ArrayList<>();
        try (ObjectListing listing = staging.list(
                new KeyRange(first, Optional.of(StagingKeys.PLANS + StagingKeys.planBeginning(done) + "~")))) {
            for (var next = listing.next(); next.isPresent(); next = listing.next()) {
                keys.add(next.get().key());
            }
        }
        Set<String> plans = new TreeSet<>();
        for (String key : keys) {
            plans.add(ObjectStore.nameOf(key)
                    .substring(0, StagingKeys.planBeginning(0).length()));
            staging.delete(key);
        }
        for (String plan : plans) {
            staging.abortUploadsNamed(plan);
        }
    }

    private void deleteBundle(Commit c) throws IOException {
        deleteStaged(c);
        try {
            ledger.markSwept(c.id());
        } catch (UnknownOutcomeException e) {
            // Swept once more next time.
        }
    }

    /** The manifest of a commit that counted is kept: it says where every landed record came from. */
    private void deleteStaged(Commit c) throws IOException {
        delete(c.bundleKey());
        if (c.state() == CommitState.ABANDONED) {
            delete(StagingKeys.manifest(c.id()));
        }
    }

    private void delete(String key) throws IOException {
        staging.abortUploads(key);
        staging.delete(key);
    }

    private void each(CommitState state, Predicate<Commit> condition, FanOut.Worker<Commit> work) throws IOException {
        boolean more = true;
        while (more && !stop.getAsBoolean()) {
            List<Commit> some = matching(state, condition);
            more = some.size() == HELD;
            if (threads == 1) {
                for (Commit c : some) {
                    unlessStopped(c, work);
                }
            } else if (!some.isEmpty()) {
                try (FanOut<Commit> out = new FanOut<>("sweep", threads, () -> c -> unlessStopped(c, work))) {
                    for (Commit c : some) {
                        out.submit(c);
                    }
                    out.finish();
                }
            }
        }
    }

    private void unlessStopped(Commit c, FanOut.Worker<Commit> work) throws IOException {
        if (!stop.getAsBoolean()) {
            work.work(c);
        }
    }

    /** The first of them. */
    private List<Commit> matching(CommitState state, Predicate<Commit> condition) throws IOException {
        List<Commit> found = new ArrayList<>();
        ledger.forEach(state, c -> {
            if (found.size() < HELD && condition.test(c)) {
                found.add(c);
            }
        });
        return found;
    }
}
