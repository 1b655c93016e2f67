package dev.stet.copy;

import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Fingerprint;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.LedgerException;
import dev.stet.ledger.Page;
import dev.stet.ledger.PageUpdate;
import dev.stet.ledger.PartialCopy;
import dev.stet.ledger.PipelineRow;
import dev.stet.store.KeyOrder;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The commit protocol of design §6: one transaction makes a task's work count; a lost answer is asked again until it is certain; a moved page is read
 * again and the commit repeated; a commit whose objects another one took is turned ABANDONED. Thread-safe.
 */
public final class Committer {
    /** A request is repeated this often before the run gives up, its outcome still unknown: the next run finds out. */
    private static final int MAX_UNKNOWN = 8;

    private static final int MAX_CONFLICTS = 1_000;

    private final Ledger ledger;
    private final Backoff backoff;

    public Committer(Ledger ledger, Backoff backoff) {
        this.ledger = ledger;
        this.backoff = backoff;
    }

    /** How a commit ended. */
    public enum Result {
        COMMITTED,
        /** It is ABANDONED: another commit took some of its objects, or a sweeper took this one for dead. Start again with what is left. */
        LOST
    }

    /** Puts the commit's row. @return false when the id is burnt: a late copy of this request found it ABANDONED */
    public boolean begin(Commit commit) throws IOException {
        boolean begun = untilCertain(() -> ledger.begin(commit)) == Ledger.Outcome.APPLIED || isUploading(commit);
        if (begun) {
            requireInUse(commit.id());
        }
        return begun;
    }

    private boolean isUploading(Commit commit) throws IOException {
        Optional<Commit> there = ledger.find(commit.id());
        return there.isPresent()
                && there.get().state() == CommitState.UPLOADING
                && there.get().bundleKey().equals(commit.bundleKey());
    }

    private void requireInUse(String id) throws IOException {
        try {
            PipelineRow.requireInUse(ledger);
        } catch (LedgerException e) {
            boolean _ = abandon(id);
            throw e;
        }
    }

    /** Makes the objects count, with what their bundle holds. */
    Result commit(String id, CommitDetails details, List<CopiedObject> copied) throws IOException {
        List<CopiedObject> objects = new ArrayList<>(copied);
        objects.sort(Comparator.comparing(o -> o.identity().key(), KeyOrder.UTF8));
        return count(id, () -> route(objects), pages -> ledger.commit(id, details, pages));
    }

    private interface Routes {
        /** Where the entries go now; empty when the commit can never count. */
        Optional<List<PageUpdate>> now() throws IOException;
    }

    private interface CommitPoint {
        Ledger.Outcome send(List<PageUpdate> pages) throws IOException;
    }

    /** Until it is certain what became of the commit. */
    private Result count(String id, Routes routes, CommitPoint point) throws IOException {
        for (int conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
            Optional<List<PageUpdate>> updates = routes.now();
            if (updates.isEmpty()) {
                return abandon(id) ? Result.LOST : settled(id).orElse(Result.LOST);
            }
            List<PageUpdate> pages = updates.get();
            if (untilCertain(() -> point.send(pages)) == Ledger.Outcome.APPLIED) {
                return Result.COMMITTED;
            }
            Optional<Result> settled = settled(id);
            if (settled.isPresent()) {
                return settled.get();
            }
            backoff.pause(conflicts);
        }
        throw new LedgerException("the ledger's pages keep changing under commit " + id
                + ": too many runs work on the same objects; end some of them");
    }

    /** Adds a part to an object that is copied in several commits. The last of {@code next} is the one to commit. */
    Result commitPart(CommitDetails details, PartialCopy next) throws IOException {
        String id = next.commits().getLast();
        if (untilCertain(() -> ledger.commitPart(details, next)) == Ledger.Outcome.APPLIED) {
            return Result.COMMITTED;
        }
        Optional<CommitState> state = ledger.find(id).map(Commit::state);
        boolean mine =
                state.isPresent() && state.get() != CommitState.UPLOADING && state.get() != CommitState.ABANDONED;
        if (mine) {
            return Result.COMMITTED;
        }
        boolean _ = abandon(id);
        return Result.LOST;
    }

    /** Makes an object in parts count, with this commit as its last. */
    Result commitLast(String id, CommitDetails details, CopiedObject object, PartialCopy copy) throws IOException {
        return count(
                id,
                () -> isStill(copy) ? route(List.of(object)) : Optional.empty(),
                pages -> ledger.commitLast(id, details, pages.getFirst(), copy));
    }

    private boolean isStill(PartialCopy copy) throws IOException {
        return ledger.partialCopy(copy.key()).map(PartialCopy::commits).equals(Optional.of(copy.commits()));
    }

    /** Gives up an object in parts. @return false when others were at work on it meanwhile: look again */
    boolean abandonPartialCopy(PartialCopy copy) throws IOException {
        return untilCertain(() -> ledger.abandonPartialCopy(copy)) == Ledger.Outcome.APPLIED
                || ledger.partialCopy(copy.key()).isEmpty();
    }

    /** UPLOADING → ABANDONED. @return whether it is ABANDONED now, by this call or before */
    public boolean abandon(String id) throws IOException {
        if (untilCertain(() -> ledger.abandon(id)) == Ledger.Outcome.APPLIED) {
            return true;
        }
        Optional<Commit> there = ledger.find(id);
        return there.isEmpty() || there.get().state() == CommitState.ABANDONED;
    }

    /** The commit item decides; empty while it is still UPLOADING, so that only pages had moved. */
    private Optional<Result> settled(String id) throws IOException {
        Optional<Commit> there = ledger.find(id);
        if (there.isEmpty()) {
            return Optional.of(Result.LOST);
        }
        return switch (there.get().state()) {
            case COMMITTED, RETIRED -> Optional.of(Result.COMMITTED);
            case ABANDONED, PARTIAL -> Optional.of(Result.LOST);
            case UPLOADING -> Optional.empty();
        };
    }

    /** Every object to its page as it is now; empty when another commit took one of them, or they lie in too many pages. */
    private Optional<List<PageUpdate>> route(List<CopiedObject> inKeyOrder) throws IOException {
        List<PageUpdate> updates = new ArrayList<>();
        int i = 0;
        while (i < inKeyOrder.size()) {
            Page page = ledger.pageOf(inKeyOrder.get(i).identity().key());
            List<Fingerprint> added = new ArrayList<>();
            for (;
                    i < inKeyOrder.size()
                            && page.range()
                                    .contains(inKeyOrder.get(i).identity().key());
                    i++) {
                CopiedObject o = inKeyOrder.get(i);
                if (!page.entries().identityOf(o.fingerprint()).equals(o.before())) {
                    return Optional.empty();
                }
                added.add(o.fingerprint());
            }
            updates.add(
                    new PageUpdate(page.after(), page.version(), page.entries().with(added)));
        }
        return updates.size() > Ledger.MAX_PAGES_PER_COMMIT ? Optional.empty() : Optional.of(updates);
    }

    private interface Request {
        Ledger.Outcome send() throws IOException;
    }

    private Ledger.Outcome untilCertain(Request request) throws IOException {
        UnknownOutcomeException last = new UnknownOutcomeException("not asked", new IOException());
        for (int i = 0; i < MAX_UNKNOWN; i++) {
            try {
                return request.send();
            } catch (UnknownOutcomeException e) {
                last = e;
                backoff.pause(i);
            }
        }
        throw last;
    }
}
