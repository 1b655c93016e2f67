package dev.stet.run;

import dev.stet.audit.Digest;
import java.util.Map;

/**
 * What a run did so far; the names in {@code --output json} are these in snake case.
 *
 * @param objectsCopied source objects this run committed, whole-object quarantines included
 * @param objectsSkipped objects with nothing to copy and objects an earlier run copied
 * @param recordsCopied records of the objects this run committed
 * @param recordsQuarantined items by reason wire name
 * @param landedObjects objects made visible in the sink, quarantine included
 * @param bytesCopied record bytes
 * @param bytesRead stored bytes of the objects read so far, and {@code bytesToRead} of all that the plan knows of: for progress
 * @param digest of the records copied
 */
public record RunCounters(
        long objectsCopied,
        long objectsSkipped,
        long objectsUnreadable,
        long recordsCopied,
        Map<String, Long> recordsQuarantined,
        long landedObjects,
        long bytesCopied,
        long bytesRead,
        long bytesToRead,
        Digest digest,
        boolean listingDone) {
    /** Before a run has begun. */
    public static final RunCounters NONE = new RunCounters(0, 0, 0, 0, Map.of(), 0, 0, 0, 0, Digest.EMPTY, false);

    public RunCounters {
        recordsQuarantined = Map.copyOf(recordsQuarantined);
    }
}
