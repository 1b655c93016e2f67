package dev.stet.ledger;

import dev.stet.store.KeyRange;
import java.util.Optional;

/**
 * A contiguous key range of the whole source and what of it is copied. Any key has exactly one page at any time. The range excludes {@code after} and
 * includes {@code upTo}; the page is known by {@code after} ("" for the first).
 *
 * @param version counts every change; 0 for a page nobody wrote yet
 */
public record Page(String after, Optional<String> upTo, long version, PageEntries entries) {
    public KeyRange range() {
        return new KeyRange(after, upTo);
    }

    /**
     * For adapters: where no page can be split.
     *
     * @throws IllegalArgumentException unless {@code at} leaves room on both sides: inside the range and not its last key
     */
    public void requireSplitAt(String at) {
        if (!range().contains(at) || upTo.equals(Optional.of(at))) {
            throw new IllegalArgumentException("cannot split " + range() + " at " + at);
        }
    }
}
