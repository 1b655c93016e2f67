package dev.stet.ledger;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An object that is being copied in several commits because it is too large for one worker (design §6). Its commits are PARTIAL and enter no buffer until the last one makes
 * all of them COMMITTED.
 *
 * @param key of the source object
 * @param etag and {@code size} of the version that is copied
 * @param before identity bits the ledger held for the key when its copying began
 * @param commits the PARTIAL ones, in order; their content is the object's from its beginning to {@code offset}. The last one's id is the row's version: no other row ever
 *     has it
 * @param offset where the next part begins: between two top-level values, bytes after decompression
 * @param stored whether the content is what is stored, so that a read can begin at the offset
 * @param changedAt epoch milliseconds of the last part
 */
public record PartialCopy(
        String key,
        String etag,
        long size,
        OptionalLong before,
        List<String> commits,
        long offset,
        boolean stored,
        long changedAt) {
    public PartialCopy {
        commits = List.copyOf(commits);
    }

    /** An object of which nothing is copied yet. */
    public static PartialCopy none(String key, String etag, long size, OptionalLong before) {
        return new PartialCopy(key, etag, size, before, List.of(), 0, false, 0);
    }

    /** With one part more. */
    public PartialCopy with(String commitId, long nextOffset, boolean isStored) {
        List<String> more = new java.util.ArrayList<>(commits);
        more.add(commitId);
        return new PartialCopy(key, etag, size, before, more, nextOffset, isStored, changedAt);
    }

    /** For adapters: the commit that was the last before the last one; the row is to have it as its last. Empty: there is to be no row. */
    public Optional<String> partBefore() {
        return commits.size() < 2 ? Optional.empty() : Optional.of(commits.get(commits.size() - 2));
    }

    /** Whether it is a copy of that version of the object, begun when the ledger held the same of it. */
    public boolean isOf(String otherEtag, long otherSize, OptionalLong otherBefore) {
        return etag.equals(otherEtag) && size == otherSize && before.equals(otherBefore);
    }

    /**
     * For adapters: what no row may be.
     *
     * @throws IllegalArgumentException for more parts than one transaction can end
     */
    public void requireEndable() {
        if (commits.isEmpty() || commits.size() > Ledger.MAX_PARTIAL_COMMITS) {
            throw new IllegalArgumentException("an object in " + commits.size() + " partial commits: " + key);
        }
    }
}
