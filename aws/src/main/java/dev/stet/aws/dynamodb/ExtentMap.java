package dev.stet.aws.dynamodb;

import dev.stet.store.KeyOrder;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The coarse split of the key space: extent i holds the pages from the one known by its first key to where extent i+1 begins. Made once, then only appended
 * at the end, so an extent keeps its number, and a map that is too old lacks only extents beyond its last.
 *
 * @param firsts ascending; the first is ""
 */
record ExtentMap(List<String> firsts) {
    int holding(String key) {
        int found = Collections.binarySearch(firsts, key, KeyOrder.UTF8);
        // An extent excludes the key that it begins after.
        return found >= 0 ? Math.max(0, found - 1) : -found - 2;
    }

    int after(String key) {
        int found = Collections.binarySearch(firsts, key, KeyOrder.UTF8);
        return found >= 0 ? found : -found - 2;
    }

    String first(int extent) {
        return firsts.get(extent);
    }

    /** Where the next one begins; empty for the last. */
    Optional<String> end(int extent) {
        return extent + 1 < firsts.size() ? Optional.of(firsts.get(extent + 1)) : Optional.empty();
    }

    int last() {
        return firsts.size() - 1;
    }
}
