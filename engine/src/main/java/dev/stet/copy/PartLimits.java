package dev.stet.copy;

/**
 * Which objects are copied in several commits, for workers that have not the time to copy any object at once.
 *
 * @param minObjectBytes stored size from which an object is copied in parts; what is smaller must fit a worker's time
 * @param partBytes bytes of content after which a part is committed even if there is time for more
 * @param patienceMillis a worker that gave an object so much time and came to no place where a part could end reports it as too large
 */
public record PartLimits(long minObjectBytes, long partBytes, long patienceMillis) {
    /** Every object at once. */
    public static final PartLimits NONE = new PartLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
}
