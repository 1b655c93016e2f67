package dev.stet.ledger;

/** Part of a commit: the page known by {@code after}, still at {@code version}, gets {@code entries} and the next version. */
public record PageUpdate(String after, long version, PageEntries entries) {}
