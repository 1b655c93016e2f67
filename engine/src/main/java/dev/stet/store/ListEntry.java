package dev.stet.store;

/** What a listing finds under a key. */
public sealed interface ListEntry permits ObjectInfo, Unlistable {
    /** Relative to the store's root or prefix, unencoded. */
    String key();
}
