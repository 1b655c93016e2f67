package dev.stet.ledger;

import dev.stet.store.KeyOrder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The ledger in memory: the port's semantics in the fewest lines, for tests that make very many runs. Outlives {@link #close()}. */
public final class InMemoryLedger implements Ledger {
    private final Clock clock;
    private final NavigableMap<String, Page> pages = new TreeMap<>(KeyOrder.UTF8);
    private final NavigableMap<String, Commit> commits = new TreeMap<>(KeyOrder.UTF8);
    private final NavigableMap<String, PartialCopy> partialCopies = new TreeMap<>(KeyOrder.UTF8);
    private final List<Compaction> compactions = new ArrayList<>();
    private Optional<PipelineRow> pipeline = Optional.empty();

    public InMemoryLedger(Clock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized Page pageOf(String key) {
        return page(pages.lowerEntry(key));
    }

    @Override
    public synchronized Page pageAfter(String after) {
        return page(pages.floorEntry(after));
    }

    private static Page page(Map.Entry<String, Page> entry) {
        return entry == null ? new Page("", Optional.empty(), 0, PageEntries.EMPTY) : entry.getValue();
    }

    @Override
    public synchronized Outcome split(Page page, String at, PageEntries left, PageEntries right) {
        page.requireSplitAt(at);
        if (pageAfter(page.after()).version() != page.version()) {
            return Outcome.REFUSED;
        }
        pages.put(page.after(), new Page(page.after(), Optional.of(at), page.version() + 1, left));
        pages.put(at, new Page(at, page.upTo(), 1, right));
        return Outcome.APPLIED;
    }

    @Override
    public synchronized Outcome begin(Commit c) {
        Commit row = Commit.uploading(c.id(), c.bundleKey(), c.leaseUntil(), c.changedAt());
        return commits.putIfAbsent(c.id(), row) == null ? Outcome.APPLIED : Outcome.REFUSED;
    }

    @Override
    public Outcome renewLease(String commitId, long leaseUntil) {
        return change(
                commitId,
                c -> c.state() == CommitState.UPLOADING,
                c -> new Commit(
                        c.id(),
                        c.state(),
                        c.bundleKey(),
                        leaseUntil,
                        c.details(),
                        c.generation(),
                        c.changedAt(),
                        c.swept()));
    }

    @Override
    public synchronized Outcome commit(String commitId, CommitDetails details, List<PageUpdate> updates) {
        PageUpdate.requireOneCommit(updates);
        boolean current = updates.stream()
                .allMatch(u -> pageAfter(u.after()).after().equals(u.after())
                        && pageAfter(u.after()).version() == u.version());
        if (!current
                || move(commitId, CommitState.UPLOADING, CommitState.COMMITTED, Optional.of(details), 0)
                        == Outcome.REFUSED) {
            return Outcome.REFUSED;
        }
        for (PageUpdate u : updates) {
            Page old = pageAfter(u.after());
            pages.put(u.after(), new Page(u.after(), old.upTo(), u.version() + 1, u.entries()));
        }
        return Outcome.APPLIED;
    }

    @Override
    public synchronized Optional<PartialCopy> partialCopy(String key) {
        return Optional.ofNullable(partialCopies.get(key));
    }

    @Override
    public void forEachPartialCopy(Consumer<PartialCopy> action) {
        List<PartialCopy> all;
        synchronized (this) {
            all = List.copyOf(partialCopies.values());
        }
        all.forEach(action);
    }

    private boolean endsWith(String key, Optional<String> commitId) {
        return partialCopy(key).map(c -> c.commits().getLast()).equals(commitId);
    }

    @Override
    public synchronized Outcome commitPart(CommitDetails details, PartialCopy next) {
        next.requireEndable();
        if (!endsWith(next.key(), next.partBefore())
                || move(next.commits().getLast(), CommitState.UPLOADING, CommitState.PARTIAL, Optional.of(details), 0)
                        == Outcome.REFUSED) {
            return Outcome.REFUSED;
        }
        partialCopies.put(
                next.key(),
                new PartialCopy(
                        next.key(),
                        next.etag(),
                        next.size(),
                        next.before(),
                        next.commits(),
                        next.offset(),
                        next.stored(),
                        clock.millis()));
        return Outcome.APPLIED;
    }

    @Override
    public synchronized Outcome commitLast(String commitId, CommitDetails details, PageUpdate page, PartialCopy copy) {
        copy.requireEndable();
        if (!endsWith(copy.key(), Optional.of(copy.commits().getLast()))
                || commit(commitId, details, List.of(page)) == Outcome.REFUSED) {
            return Outcome.REFUSED;
        }
        endPartialCopy(copy, CommitState.COMMITTED);
        return Outcome.APPLIED;
    }

    @Override
    public synchronized Outcome abandonPartialCopy(PartialCopy copy) {
        copy.requireEndable();
        if (!endsWith(copy.key(), Optional.of(copy.commits().getLast()))) {
            return Outcome.REFUSED;
        }
        endPartialCopy(copy, CommitState.ABANDONED);
        return Outcome.APPLIED;
    }

    private void endPartialCopy(PartialCopy copy, CommitState state) {
        for (String id : copy.commits()) {
            if (move(id, CommitState.PARTIAL, state, Optional.empty(), 0) == Outcome.REFUSED) {
                throw new IllegalStateException("no partial commit: " + id);
            }
        }
        partialCopies.remove(copy.key());
    }

    @Override
    public Outcome abandon(String commitId) {
        return move(commitId, CommitState.UPLOADING, CommitState.ABANDONED, Optional.empty(), 0);
    }

    @Override
    public Outcome retire(String commitId, long generation) {
        return move(commitId, CommitState.COMMITTED, CommitState.RETIRED, Optional.empty(), generation);
    }

    private Outcome move(
            String id, CommitState from, CommitState to, Optional<CommitDetails> details, long generation) {
        return change(
                id,
                c -> c.state() == from,
                c -> new Commit(
                        c.id(),
                        to,
                        c.bundleKey(),
                        c.leaseUntil(),
                        details.or(c::details),
                        generation,
                        clock.millis(),
                        c.swept()));
    }

    private synchronized Outcome change(String id, Predicate<Commit> condition, UnaryOperator<Commit> change) {
        Commit row = commits.get(id);
        if (row == null || !condition.test(row)) {
            return Outcome.REFUSED;
        }
        commits.put(id, change.apply(row));
        return Outcome.APPLIED;
    }

    @Override
    public void markSwept(String commitId) {
        change(
                commitId,
                c -> c.state() == CommitState.ABANDONED || c.state() == CommitState.RETIRED,
                c -> new Commit(
                        c.id(),
                        c.state(),
                        c.bundleKey(),
                        c.leaseUntil(),
                        c.details(),
                        c.generation(),
                        c.changedAt(),
                        true));
    }

    @Override
    public synchronized void forget(String commitId) {
        if (find(commitId).filter(Commit::swept).isPresent()) {
            commits.remove(commitId);
        }
    }

    @Override
    public synchronized Optional<Commit> find(String commitId) {
        return Optional.ofNullable(commits.get(commitId));
    }

    @Override
    public void forEach(CommitState state, Consumer<Commit> action) {
        List<Commit> rows;
        synchronized (this) {
            rows = commits.values().stream().filter(c -> c.state() == state).toList();
        }
        rows.forEach(action);
    }

    @Override
    public synchronized Optional<Compaction> latestCompaction() {
        return compactions.isEmpty() ? Optional.empty() : Optional.of(compactions.getLast());
    }

    @Override
    public synchronized Outcome openCompaction(long generation, String headerKey) {
        boolean next = generation == compactions.size() + 1
                && latestCompaction().map(Compaction::done).orElse(true);
        if (next) {
            compactions.add(new Compaction(generation, false, headerKey));
        }
        return next ? Outcome.APPLIED : Outcome.REFUSED;
    }

    @Override
    public synchronized Outcome finishCompaction(long generation) {
        Compaction last = latestCompaction().orElse(new Compaction(0, true, ""));
        if (last.done() || last.generation() != generation) {
            return Outcome.REFUSED;
        }
        compactions.set(compactions.size() - 1, new Compaction(generation, true, last.headerKey()));
        return Outcome.APPLIED;
    }

    @Override
    public synchronized Optional<PipelineRow> pipeline() {
        return pipeline;
    }

    @Override
    public synchronized Outcome savePipeline(PipelineRow row, long expectedRevision) {
        if (pipeline.map(PipelineRow::revision).orElse(0L) != expectedRevision) {
            return Outcome.REFUSED;
        }
        pipeline = Optional.of(row.at(expectedRevision + 1));
        return Outcome.APPLIED;
    }

    @Override
    public void close() {}
}
