package dev.stet.ledger;

import java.util.Optional;

/**
 * A commit's row.
 *
 * @param bundleKey key of its bundle in staging, fixed before the first byte
 * @param leaseUntil epoch milliseconds until which its worker is taken to live
 * @param details present from COMMITTED on
 * @param generation compaction that landed it; 0 before
 * @param changedAt epoch milliseconds of the last change of state
 * @param swept whether its bundle is known to be gone
 */
public record Commit(
        String id,
        CommitState state,
        String bundleKey,
        long leaseUntil,
        Optional<CommitDetails> details,
        long generation,
        long changedAt,
        boolean swept) {

    /** A new commit, before the first byte is staged. */
    public static Commit uploading(String id, String bundleKey, long leaseUntil, long now) {
        return new Commit(id, CommitState.UPLOADING, bundleKey, leaseUntil, Optional.empty(), 0, now, false);
    }
}
