package dev.stet.ledger;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The ledger port: one pipeline's rows, over one source. Every write is one conditional step that happens whole or not at all; all reads see every
 * write that was answered before. The protocol (who calls what when, and what to do when refused) lives in its callers.
 *
 * <p>Each write may throw {@link dev.stet.store.UnknownOutcomeException}: it may have been applied, or be applied later. All writes can be repeated: one
 * that was applied already is refused, or answers as the first time where it says so. Thread-safe.
 */
public interface Ledger extends AutoCloseable {
    /** Whether a conditional write was applied. */
    enum Outcome {
        APPLIED,
        /** A condition failed, and nothing changed. */
        REFUSED
    }

    /** Most pages one commit may touch. */
    int MAX_PAGES_PER_COMMIT = 98;

    /** The page that holds {@code key}. */
    Page pageOf(String key) throws IOException;

    /** The page whose range holds the keys right after {@code after}: where a scan that has seen {@code after} goes on. */
    Page pageAfter(String after) throws IOException;

    /**
     * Splits {@code page} at {@code at} (a key inside its range, not its last): it keeps the keys up to and including {@code at}, a new page gets the
     * rest. Refused unless the page is still at its version. The version of the page goes up; the new page starts at version 1.
     *
     * @throws IllegalArgumentException when {@code at} leaves no room on one side
     */
    Outcome split(Page page, String at, PageEntries left, PageEntries right) throws IOException;

    /** Puts a new UPLOADING commit. Refused when the id is taken. */
    Outcome begin(Commit commit) throws IOException;

    /** Moves the lease of an UPLOADING commit; no change of state. Refused when it is not UPLOADING. */
    Outcome renewLease(String commitId, long leaseUntil) throws IOException;

    /**
     * The commit point: all pages still at their versions and the commit still UPLOADING, or nothing. Versions go up, entries are put, the commit turns
     * COMMITTED with its details, all at once. A page at version 0 is born here.
     *
     * @throws IllegalArgumentException for more than {@link #MAX_PAGES_PER_COMMIT} pages, or one page twice
     */
    Outcome commit(String commitId, CommitDetails details, List<PageUpdate> pages) throws IOException;

    /** Most parts of an object before its last: the last commit changes them all, with the page, the object's row and itself, and 100 is what one transaction can. */
    int MAX_PARTIAL_COMMITS = 97;

    /** The object's copying in parts, if it is under way. */
    Optional<PartialCopy> partialCopy(String key) throws IOException;

    /** All objects whose copying in parts is under way. The action may call this ledger. */
    void forEachPartialCopy(Consumer<PartialCopy> action) throws IOException;

    /**
     * One part more: the object's row still ends with the last commit but one of {@code next} (is absent where there is none) and the last is still UPLOADING, or nothing.
     * The row is stored as {@code next}, the commit turns PARTIAL with its details.
     *
     * @throws IllegalArgumentException for more than {@link #MAX_PARTIAL_COMMITS}
     */
    Outcome commitPart(CommitDetails details, PartialCopy next) throws IOException;

    /**
     * The commit point of an object in parts: the page still at its version, the object's row still with that last commit, every one of its commits PARTIAL, {@code commitId} UPLOADING, or nothing.
     * All of them turn COMMITTED at once, the entry is put, the row goes.
     */
    Outcome commitLast(String commitId, CommitDetails details, PageUpdate page, PartialCopy copy) throws IOException;

    /** Gives up an object in parts: all its commits PARTIAL → ABANDONED, its row goes. Refused unless the row still has that last commit. */
    Outcome abandonPartialCopy(PartialCopy copy) throws IOException;

    /** UPLOADING → ABANDONED, fencing its writer. Refused otherwise. */
    Outcome abandon(String commitId) throws IOException;

    /** COMMITTED → RETIRED by that generation. Refused otherwise. */
    Outcome retire(String commitId, long generation) throws IOException;

    /** Notes that the bundle of an ABANDONED or RETIRED commit is gone. Of any other it changes nothing: its bundle is needed. */
    void markSwept(String commitId) throws IOException;

    /**
     * Deletes the row of a swept commit, and no other. For callers: only when no late copy of its first request can arrive any more, since that would
     * make the id UPLOADING again.
     */
    void forget(String commitId) throws IOException;

    Optional<Commit> find(String commitId) throws IOException;

    /** All commits in that state, by id in UTF-8 order. Rows that change meanwhile may be seen or not. The action may call this ledger. */
    void forEach(CommitState state, Consumer<Commit> action) throws IOException;

    /** The newest compaction; empty before the first. */
    Optional<Compaction> latestCompaction() throws IOException;

    /** Creates the OPEN row of the next generation. Refused when it exists or the one before is not DONE. */
    Outcome openCompaction(long generation, String headerKey) throws IOException;

    /** OPEN → DONE. Refused otherwise. */
    Outcome finishCompaction(long generation) throws IOException;

    Optional<PipelineRow> pipeline() throws IOException;

    /** Stores the row if its revision is still {@code expectedRevision} (0: absent), under the next revision; its own is not looked at. */
    Outcome savePipeline(PipelineRow row, long expectedRevision) throws IOException;

    @Override
    void close() throws IOException;
}
