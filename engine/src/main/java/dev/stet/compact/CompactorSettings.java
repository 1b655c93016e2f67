package dev.stet.compact;

import java.util.function.BooleanSupplier;

/**
 * How compactions work and what they make.
 *
 * @param gzip see {@link Header}
 * @param memory bytes for reading, all threads together
 * @param stop asked between objects: when true the generation stays OPEN, for the next run to go on with
 * @param taskBytes and {@code taskOutputs}: where a landing task is cut
 */
public record CompactorSettings(
        String pipelineId,
        long maxObjectBytes,
        boolean gzip,
        int threads,
        long memory,
        long taskBytes,
        int taskOutputs,
        BooleanSupplier stop) {
    public static final long DEFAULT_TASK_BYTES = 64L << 20;
    public static final int DEFAULT_TASK_OUTPUTS = 256;
}
