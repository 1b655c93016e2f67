package dev.stet.compact;

import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The commits that wait for landing, of which a generation takes those of the earliest days, so that a day's records still lie in few objects. A plan costs a read of each run's index and some time a
 * slice; a commit weighs as much as it is likely to have runs, since their number is not in its row. However many wait, no more are held than one generation takes. Not thread-safe.
 */
final class Waiting {
    /** Content of a run: less than the memory of most workers. */
    private static final long RUN_BYTES = 128L << 20;

    private record Candidate(long day, long weight, Header.Taken taken) {}

    private final long most;
    /** The latest first: it is the first to give way. */
    private final PriorityQueue<Candidate> candidates = new PriorityQueue<>(Comparator.comparingLong(Candidate::day)
            .thenComparing(c -> c.taken().commitId())
            .reversed());

    private long weight;
    private boolean more;

    /** @param most weight that one generation takes */
    Waiting(long most) {
        this.most = most;
    }

    void add(Commit commit) {
        CommitDetails d = commit.details().orElseThrow();
        Candidate candidate = new Candidate(
                day(d),
                1 + d.landingBytes() / RUN_BYTES,
                new Header.Taken(commit.id(), commit.bundleKey(), d.bundleLength()));
        candidates.add(candidate);
        weight += candidate.weight;
        while (weight > most && candidates.size() > 1) {
            weight -= candidates.remove().weight;
            more = true;
        }
    }

    /** What is set aside has no day: it lies with whatever else its commit has. */
    private static long day(CommitDetails d) {
        return d.timePartitions().stream().filter(t -> t != 0).findFirst().orElse(0L);
    }

    /** Those that a generation takes, by id. */
    List<Header.Taken> taken() {
        return candidates.stream()
                .map(Candidate::taken)
                .sorted(Comparator.comparing(Header.Taken::commitId))
                .toList();
    }

    /** Whether some are left for the next one. */
    boolean more() {
        return more;
    }
}
