package dev.stet.copy;

import dev.stet.audit.Digest;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.record.Reason;
import dev.stet.stage.BundleBuilder;
import dev.stet.stage.BundleSummary;
import dev.stet.stage.StagingKeys;
import dev.stet.store.ObjectStore;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;

/** A commit from its row, which is put once before the first byte is staged, to what its bundle holds, or to its end. Not thread-safe. */
final class BegunCommit {
    private final String id;
    private final ObjectStore staging;
    private final Committer committer;
    private final LeaseKeeper leases;
    private final Clock clock;
    /** There may be a row. */
    private boolean begun;

    BegunCommit(String id, ObjectStore staging, Committer committer, LeaseKeeper leases, Clock clock) {
        this.id = id;
        this.staging = staging;
        this.committer = committer;
        this.leases = leases;
        this.clock = clock;
    }

    void ensure() throws IOException {
        if (begun) {
            return;
        }
        begun = true;
        leases.keep(id);
        if (!committer.begin(Commit.uploading(id, StagingKeys.bundle(id), leases.until(), clock.millis()))) {
            throw new CommitLostException(id);
        }
    }

    /**
     * Completes the bundle, durably.
     *
     * @param records and {@code setAside} as the framer accounts for them
     * @param objects that the commit makes count
     * @throws IllegalStateException when the bundle holds anything else
     */
    CommitDetails complete(BundleBuilder bundle, Digest records, Map<Reason, Long> setAside, long objects)
            throws IOException {
        BundleSummary summary = bundle.complete();
        Conservation.check(id, records, setAside, summary);
        ensure();
        staging.flush();
        return new CommitDetails(
                summary.length(),
                summary.crc32c(),
                summary.length() == 0 ? "" : StagingKeys.manifest(id),
                objects,
                summary.records(),
                summary.quarantined(),
                summary.landingBytes(),
                summary.timePartitions());
    }

    /** Its worker is through with it. @param kept whether it stands; else it can never count, and is given up */
    void end(boolean kept, BundleBuilder bundle) {
        leases.release(id);
        if (!kept && begun) {
            giveUp(bundle);
        }
    }

    /** Fences it first, then gives its bytes up. If that cannot be said now, the next run's sweeper will. */
    private void giveUp(BundleBuilder bundle) {
        try {
            if (committer.abandon(id)) {
                bundle.abort();
            }
        } catch (IOException e) {
            // The failure that led here is the one to tell.
        }
    }
}
