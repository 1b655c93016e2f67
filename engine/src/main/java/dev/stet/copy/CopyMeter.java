package dev.stet.copy;

import dev.stet.ledger.CommitDetails;

/** Counts a run's work as it happens. Called by many threads. */
public interface CopyMeter {
    /** Stored bytes of source objects were read. */
    void read(long bytes);

    /** An object has nothing to copy, or proved to be the version the ledger has. */
    void skipped();

    void unreadable(String key, String reason, String message);

    void replaced(String key);

    /** A part of an object is committed; it counts with the last one. */
    void partCommitted();

    /** A commit counts, and with it its parts; the details are of all of them. */
    void committed(long objectsCopied, CommitDetails details);
}
