package dev.stet.compact;

/**
 * Where a landing task is cut: at the first of these that is reached.
 *
 * @param bytes that land
 * @param outputs landed objects
 * @param slices held in memory while the task is worked on, some 300 bytes each
 */
public record TaskLimits(long bytes, int outputs, long slices) {
    /** For threads that share a machine. */
    public static final TaskLimits THREADS = new TaskLimits(64L << 20, 256, 50_000);

    /** For workers that each read one range of every run's index and data: fewer and larger. */
    public static final TaskLimits WORKERS = new TaskLimits(512L << 20, 1_000, 50_000);
}
