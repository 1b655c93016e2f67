package dev.stet.store;

import java.io.IOException;
import java.nio.file.Path;

/**
 * How directories are walked.
 *
 * @param root the directory keys are relative to
 * @param hidden a name in the root that is not listed; empty: none
 * @param spillFolder for temporary files while a directory of more than {@code namesHeld} names is sorted
 */
record DirectoryTree(Path root, String hidden, Path spillFolder, int namesHeld) {
    /** A million names of 40 bytes take about 50 MB. */
    static final int NAMES_HELD = 1_000_000;

    /** Throws {@link StoreException} where the root cannot be listed at all. */
    ObjectListing list(KeyRange range) throws IOException {
        return new DirectoryListing(this, range);
    }
}
