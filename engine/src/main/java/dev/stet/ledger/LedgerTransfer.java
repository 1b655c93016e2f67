package dev.stet.ledger;

import dev.stet.audit.Digest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Carries all rows of one ledger that still mean something to another, empty one: the pages of its source, the commits that are not landed or whose bundles are
 * not gone yet, and the number of compactions, so that keys of landed objects stay unique. Ended in the middle, it goes on where it was.
 *
 * <p>For callers: both ledgers are marked, so that nobody commits to either.
 */
public final class LedgerTransfer {
    private final Ledger from;
    private final Ledger to;
    private long pages;
    private long objects;
    private long commits;

    public LedgerTransfer(Ledger from, Ledger to) {
        this.from = from;
        this.to = to;
    }

    /** What was carried. @param objects the ledger knows to be copied */
    public record Carried(long pages, long objects, long commits) {}

    /**
     * Carries everything but the pipeline's own row.
     *
     * @throws LedgerException when the other ledger holds something else already
     */
    public Carried run() throws IOException {
        giveUpParts();
        for (CommitState state : CommitState.values()) {
            for (Commit c : unswept(state)) {
                carry(c);
            }
        }
        carryCompactions();
        carryPages();
        return new Carried(pages, objects, commits);
    }

    /** An object that was copied in part is copied anew where the pipeline goes on. */
    private void giveUpParts() throws IOException {
        List<PartialCopy> begun = new ArrayList<>();
        from.forEachPartialCopy(begun::add);
        for (PartialCopy copy : begun) {
            Ledger.Outcome _ = from.abandonPartialCopy(copy);
        }
    }

    private List<Commit> unswept(CommitState state) throws IOException {
        List<Commit> found = new ArrayList<>();
        from.forEach(state, c -> {
            if (!c.swept()) {
                found.add(c);
            }
        });
        return found;
    }

    /** What was begun after the mark can never commit: its worker sees the mark. It is fenced here, for the case that the worker is dead. */
    private void carry(Commit found) throws IOException {
        Commit c = found;
        if (c.state() == CommitState.UPLOADING) {
            from.abandon(c.id());
            c = from.find(c.id()).orElseThrow();
        }
        Ledger.Outcome _ = to.begin(Commit.uploading(c.id(), c.bundleKey(), 0, c.changedAt()));
        switch (c.state()) {
            case UPLOADING, PARTIAL ->
                throw new LedgerException("commit " + c.id() + " cannot be ended; run the same command again");
            case ABANDONED -> to.abandon(c.id());
            case COMMITTED -> to.commit(c.id(), c.details().orElseThrow(), List.of());
            case RETIRED -> {
                to.commit(c.id(), c.details().orElseThrow(), List.of());
                to.retire(c.id(), c.generation());
            }
        }
        requireCarried(c);
        commits++;
    }

    private void requireCarried(Commit c) throws IOException {
        Optional<Commit> there = to.find(c.id());
        boolean same = there.isPresent()
                && there.get().state() == c.state()
                && there.get().bundleKey().equals(c.bundleKey())
                && there.get().generation() == c.generation()
                && (c.state() == CommitState.ABANDONED || there.get().details().equals(c.details()));
        if (!same) {
            throw other("commit " + c.id());
        }
    }

    private void carryCompactions() throws IOException {
        Optional<Compaction> latest = from.latestCompaction();
        if (latest.isEmpty()) {
            return;
        }
        Optional<Compaction> there = to.latestCompaction();
        long next =
                there.map(c -> c.done() ? c.generation() + 1 : c.generation()).orElse(1L);
        for (long g = next; g <= latest.get().generation(); g++) {
            to.openCompaction(g, latest.get().headerKey());
            if (g < latest.get().generation() || latest.get().done()) {
                to.finishCompaction(g);
            }
        }
        if (!to.latestCompaction().equals(latest)) {
            throw other("a compaction");
        }
    }

    /** In key order: a page that was carried ends where its model ends, and only the last is open. */
    private void carryPages() throws IOException {
        Page page = from.pageAfter("");
        while (true) {
            Page there = to.pageAfter(page.after());
            boolean carried =
                    there.range().equals(page.range()) && there.entries().equals(page.entries());
            if (!carried) {
                put(page, there);
            }
            pages++;
            objects += page.entries().size();
            if (page.upTo().isEmpty()) {
                return;
            }
            page = from.pageAfter(page.upTo().get());
        }
    }

    private void put(Page page, Page there) throws IOException {
        if (!there.after().equals(page.after())
                || there.upTo().isPresent()
                || there.entries().size() > 0) {
            throw other("a page");
        }
        Ledger.Outcome outcome = page.upTo().isPresent()
                ? to.split(there, page.upTo().get(), page.entries(), PageEntries.EMPTY)
                : putLast(page, there);
        if (outcome != Ledger.Outcome.APPLIED) {
            throw new LedgerException("the ledger to move to changed meanwhile; run the same command again");
        }
    }

    /** Entries get into a page by a commit alone; this one holds nothing else and is landed with the next compaction, which finds nothing to do. */
    private Ledger.Outcome putLast(Page page, Page there) throws IOException {
        String id = "moved-%d-%d".formatted(page.version(), there.version());
        to.begin(Commit.uploading(id, "none/" + id, 0, 0));
        CommitDetails nothing = new CommitDetails(0, 0, "", 0, Digest.EMPTY, Map.of(), 0, List.of());
        return to.commit(id, nothing, List.of(new PageUpdate(there.after(), there.version(), page.entries())));
    }

    private static LedgerException other(String what) {
        return new LedgerException("the ledger to move to holds something else already (" + what
                + " differs); give one that is new to this pipeline");
    }
}
