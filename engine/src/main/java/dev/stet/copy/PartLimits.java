package dev.stet.copy;

/**
 * Which objects are copied in several commits, for workers that have not the time to copy any object at once.
 *
 * @param minObjectBytes stored size from which an object is copied in parts
 * @param partBytes bytes of content after which a part is committed even if there is time for more
 * @param patienceMillis a smaller object that has taken so long, since little can hold much where it is compressed, is copied in parts instead; a worker that gave an object in parts so much time
 *     and came to no place where a part could end reports it as too large
 */
public record PartLimits(long minObjectBytes, long partBytes, long patienceMillis) {
    /** Every object at once. */
    public static final PartLimits NONE = new PartLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
}
