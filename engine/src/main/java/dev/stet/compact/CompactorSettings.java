package dev.stet.compact;

import java.util.function.BooleanSupplier;

/**
 * How compactions work and what they make.
 *
 * @param gzip see {@link Header}
 * @param threads that land, and that retire commits, side by side
 * @param memory bytes for reading, all threads together
 * @param reads of indexes in flight, in a process that waits for a network; 1: none ahead of its need
 * @param maxCommits most that one generation takes, large ones counting several times, see {@link Waiting}; so a plan fits one worker's time and memory whatever waits
 * @param limits where a landing task is cut
 * @param stop asked between objects: when true the generation stays OPEN, for the next run to go on with
 */
public record CompactorSettings(
        String pipelineId,
        long maxObjectBytes,
        boolean gzip,
        int threads,
        long memory,
        int reads,
        int maxCommits,
        TaskLimits limits,
        BooleanSupplier stop) {
    /** A plan of so many takes a minute or two, and so does looking through all their indexes in a landing task. */
    public static final int MAX_COMMITS = 4_000;
}
