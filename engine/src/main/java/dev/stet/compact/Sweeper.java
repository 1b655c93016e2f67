package dev.stet.compact;

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
import java.util.function.Predicate;

/**
 * Removes garbage by the ledger's word alone (invariant 6): a commit whose worker is dead is fenced first, then its bytes go; bundles of RETIRED commits go once
 * their generation is DONE. Rows stay as tombstones for a week, since a late copy of a worker's first request must find them.
 */
public final class Sweeper {
    private static final Duration TOMBSTONE = Duration.ofDays(7);

    private final Ledger ledger;
    private final ObjectStore staging;
    private final Clock clock;

    public Sweeper(Ledger ledger, ObjectStore staging, Clock clock) {
        this.ledger = ledger;
        this.staging = staging;
        this.clock = clock;
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
        for (Commit c : matching(CommitState.UPLOADING, dead)) {
            try {
                ledger.abandon(c.id());
            } catch (UnknownOutcomeException e) {
                // Whether it is ABANDONED, the next sweep sees.
            }
        }
    }

    /** Deletes what no commit needs any more. */
    public void sweep() throws IOException {
        Optional<Compaction> latest = ledger.latestCompaction();
        long done =
                latest.map(c -> c.done() ? c.generation() : c.generation() - 1).orElse(0L);
        abandonStaleParts();
        for (Commit c : matching(CommitState.ABANDONED, c -> !c.swept())) {
            deleteBundle(c);
        }
        for (Commit c : matching(CommitState.RETIRED, c -> !c.swept() && c.generation() <= done)) {
            deleteBundle(c);
        }
        deletePlans(done);
        long old = clock.millis() - TOMBSTONE.toMillis();
        Predicate<Commit> forgettable = c -> c.swept() && c.changedAt() < old;
        for (CommitState state : List.of(CommitState.ABANDONED, CommitState.RETIRED)) {
            for (Commit c : matching(state, forgettable)) {
                // Once more: a late request of its worker may have begun an upload after the first sweep.
                deleteStaged(c);
                ledger.forget(c.id());
            }
        }
    }

    /** Of objects that were copied some other way, or replaced, since their copying in parts began; and of those that nobody has worked on for long. */
    private void abandonStaleParts() throws IOException {
        List<PartialCopy> all = new ArrayList<>();
        ledger.forEachPartialCopy(all::add);
        for (PartialCopy p : all) {
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

    private List<Commit> matching(CommitState state, Predicate<Commit> condition) throws IOException {
        List<Commit> found = new ArrayList<>();
        ledger.forEach(state, c -> {
            if (condition.test(c)) {
                found.add(c);
            }
        });
        return found;
    }
}
