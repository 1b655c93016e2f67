package dev.stet.plan;

import dev.stet.store.KeyRange;

/**
 * A key range and about how much is in it.
 *
 * @param exact whether it was counted to its end
 */
public record SizedRange(KeyRange range, long objects, long bytes, boolean exact) {}
