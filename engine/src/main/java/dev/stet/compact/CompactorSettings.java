package dev.stet.compact;

import java.util.function.BooleanSupplier;

/**
 * How compactions work and what they make.
 *
 * @param gzip see {@link Header}
 * @param threads that land, and that retire commits, side by side
 * @param memory bytes for reading, all threads together
 * @param limits where a landing task is cut
 * @param stop asked between objects: when true the generation stays OPEN, for the next run to go on with
 */
public record CompactorSettings(
        String pipelineId,
        long maxObjectBytes,
        boolean gzip,
        int threads,
        long memory,
        TaskLimits limits,
        BooleanSupplier stop) {}
