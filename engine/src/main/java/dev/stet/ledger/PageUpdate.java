package dev.stet.ledger;

import java.util.List;

/** Part of a commit: the page known by {@code after}, still at {@code version}, gets {@code entries} and the next version. */
public record PageUpdate(String after, long version, PageEntries entries) {

    /**
     * For adapters: what no commit may be.
     *
     * @throws IllegalArgumentException for more than {@link Ledger#MAX_PAGES_PER_COMMIT} pages, or one page twice
     */
    public static void requireOneCommit(List<PageUpdate> pages) {
        if (pages.size() > Ledger.MAX_PAGES_PER_COMMIT) {
            throw new IllegalArgumentException("a commit of " + pages.size() + " pages");
        }
        if (pages.stream().map(PageUpdate::after).distinct().count() < pages.size()) {
            throw new IllegalArgumentException("a commit that updates a page twice");
        }
    }
}
