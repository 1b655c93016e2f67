package dev.stet.copy;

import dev.stet.ledger.Commit;
import dev.stet.stage.StagingKeys;
import java.io.IOException;
import java.time.Clock;

/** A commit whose row is put once, before the first byte is staged. Not thread-safe. */
final class BegunCommit {
    private final String id;
    private final Committer committer;
    private final LeaseKeeper leases;
    private final Clock clock;
    private boolean done;

    BegunCommit(String id, Committer committer, LeaseKeeper leases, Clock clock) {
        this.id = id;
        this.committer = committer;
        this.leases = leases;
        this.clock = clock;
    }

    void ensure() throws IOException {
        if (done) {
            return;
        }
        done = true;
        leases.keep(id);
        if (!committer.begin(Commit.uploading(id, StagingKeys.bundle(id), leases.until(), clock.millis()))) {
            throw new CommitLostException(id);
        }
    }

    /** Whether there may be a row. */
    boolean done() {
        return done;
    }
}
