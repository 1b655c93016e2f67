package dev.stet.functions;

import dev.stet.audit.Digest;
import dev.stet.copy.CommitIds;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Ledger;
import dev.stet.registry.Run;
import dev.stet.task.CopyCounters;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a run did, by its commits in the ledger. What its workers counted can lack the commits of workers that were killed after they committed; the ledger lacks
 * none, as long as rows of landed commits are kept (a week).
 *
 * @param counters exact where {@code exact}
 * @param unreported commits that no worker lived to tell of
 */
record RunAccount(CopyCounters counters, boolean exact, long unreported) {
    /** A day less than landed commits' rows are kept. */
    private static final Duration KEPT = Duration.ofDays(6);

    static RunAccount of(Run run, CopyCounters counted, Ledger ledger, Clock clock) throws IOException {
        if (Duration.between(run.startedAt(), clock.instant()).compareTo(KEPT) > 0) {
            return new RunAccount(counted, false, 0);
        }
        String mark = CommitIds.mark(run.runId());
        Sum sum = sum(ledger, new Sum(mark, Set.of(), Set.of()));
        // Parts of objects count for the run that made them count, whoever made them; that is known of all of them only
        // at the end.
        return (sum.isSettled() ? sum : sum(ledger, new Sum(mark, sum.ownParts, sum.othersParts))).account(counted);
    }

    private static Sum sum(Ledger ledger, Sum sum) throws IOException {
        // In the order of a commit's life: one that moves meanwhile is met once or twice, never missed.
        ledger.forEach(CommitState.COMMITTED, sum::add);
        ledger.forEach(CommitState.RETIRED, sum::add);
        return sum;
    }

    /** Something that whoever started the run should know although it succeeded. */
    Optional<String> remark() {
        long unreadable = CountersJson.unreadable(counters);
        if (unreadable == 0) {
            return Optional.empty();
        }
        return Optional.of(unreadable + " objects could not be read"
                + counters.examples().stream()
                        .findFirst()
                        .map(e -> ", for example " + e.key() + " (" + e.reason() + ": " + e.message() + ")")
                        .orElse(""));
    }

    private static final class Sum {
        private final String mark;
        private final Set<String> own;
        private final Set<String> others;
        private final Set<String> ownParts = new HashSet<>();
        private final Set<String> othersParts = new HashSet<>();
        private final Set<String> seen = new HashSet<>();
        private long objects;
        private long staged;
        private long landing;
        private Digest records = Digest.EMPTY;
        private final Map<String, Long> quarantined = new TreeMap<>();

        /** @param own parts known to count for this run @param others for other ones */
        Sum(String mark, Set<String> own, Set<String> others) {
            this.mark = mark;
            this.own = own;
            this.others = others;
        }

        /** Whether what was met is all that counts for this run. */
        boolean isSettled() {
            return seen.containsAll(ownParts) && Collections.disjoint(seen, othersParts);
        }

        void add(Commit commit) {
            boolean marked = CommitIds.isMarked(commit.id(), mark);
            CommitDetails d = commit.details().orElseThrow();
            (marked ? ownParts : othersParts).addAll(d.parts());
            boolean mine = own.contains(commit.id()) || (marked && !others.contains(commit.id()));
            if (!mine || !seen.add(commit.id())) {
                return;
            }
            objects += d.objects();
            staged += d.bundleLength();
            landing += d.landingBytes();
            records = records.plus(d.records());
            d.quarantined().forEach((reason, n) -> quarantined.merge(reason, n, Long::sum));
        }

        /** Objects without content are counted by workers alone; where a worker was killed they count as copied. */
        RunAccount account(CopyCounters counted) {
            long unreported = seen.size() - counted.commits();
            return new RunAccount(
                    new CopyCounters(
                            unreported == 0 ? counted.objectsCopied() : objects,
                            counted.objectsSkipped(),
                            counted.objectsGone(),
                            counted.objectsReplaced(),
                            seen.size(),
                            counted.parts(),
                            quarantined,
                            counted.bytesRead(),
                            staged,
                            landing,
                            records,
                            counted.unreadable(),
                            counted.examples()),
                    true,
                    Math.max(0, unreported));
        }
    }
}
