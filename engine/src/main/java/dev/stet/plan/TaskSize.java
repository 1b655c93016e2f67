package dev.stet.plan;

/**
 * How much work a task is to be: a worker's start and the overhead of its task are to be little beside it, and it should be done well before the worker's deadline.
 *
 * @param objects source objects
 * @param bytes stored bytes
 */
public record TaskSize(long objects, long bytes) {
    /** For a worker that is given 15 minutes. Measured: see docs/scale.md. */
    public static final TaskSize DEFAULT = new TaskSize(20_000, 4L << 30);

    /**
     * The size of tasks that take so long.
     *
     * @param objectsPerSecond objects a worker copies while they are small
     * @param bytesPerSecond stored bytes a worker copies while they are large
     */
    public static TaskSize ofSeconds(double seconds, double objectsPerSecond, double bytesPerSecond) {
        return new TaskSize(
                Math.max(1, (long) (seconds * objectsPerSecond)), Math.max(1, (long) (seconds * bytesPerSecond)));
    }

    /** Most objects of that mean size in a task. */
    long objectsOf(double meanBytes) {
        return Math.max(1, Math.min(objects, (long) (bytes / Math.max(1, meanBytes))));
    }
}
