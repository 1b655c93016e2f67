package dev.stet.compact;

import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Ledger;
import java.io.IOException;
import java.util.Optional;

/**
 * What is committed and not landed.
 *
 * @param stagedBytes of bundles
 * @param landingBytes that they will have when landed
 * @param oldest when the oldest was committed, epoch milliseconds
 * @param newest when the newest was
 */
public record Buffered(
        long commits, long stagedBytes, long landingBytes, Optional<Long> oldest, Optional<Long> newest) {
    public static final Buffered NOTHING = new Buffered(0, 0, 0, Optional.empty(), Optional.empty());

    /** By the ledger's account. */
    public static Buffered in(Ledger ledger) throws IOException {
        Sum sum = new Sum();
        ledger.forEach(CommitState.COMMITTED, sum::add);
        return sum.buffered;
    }

    /** With one commit more. */
    public Buffered plus(long bundleLength, long willLand, long committedAt) {
        return new Buffered(
                commits + 1,
                stagedBytes + bundleLength,
                landingBytes + willLand,
                Optional.of(Math.min(oldest.orElse(committedAt), committedAt)),
                Optional.of(Math.max(newest.orElse(committedAt), committedAt)));
    }

    private static final class Sum {
        private Buffered buffered = NOTHING;

        void add(Commit commit) {
            commit.details()
                    .ifPresent(d -> buffered = buffered.plus(d.bundleLength(), d.landingBytes(), commit.changedAt()));
        }
    }
}
