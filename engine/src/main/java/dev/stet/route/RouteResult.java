package dev.stet.route;

import dev.stet.record.Reason;

/**
 * Where one record goes. Reused from record to record by its {@link Router}; borrowed until the next call. Either {@link #routed} and the path is
 * valid, or {@link #reason} says why not.
 */
public interface RouteResult {
    /** Time partition of records without time folders (none asked for, or the default folder of {@code on_missing}). */
    long NO_TIME = 0;

    boolean routed();

    /** Valid when not {@link #routed}. */
    Reason reason();

    /** Partition path relative to the sink, ASCII, without leading or final slash, in {@code pathBytes()[0, pathLength())}. May be empty. */
    byte[] pathBytes();

    int pathLength();

    /** The time folder as a number that sorts by time: decimal {@code yyyyMMddHHmm}, zero below the unit; {@link #NO_TIME}. */
    long timePartition();
}
