package dev.stet.registry;

import dev.stet.run.RunCounters;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run did, in numbers that add up over its workers.
 *
 * @param recordsQuarantined items by reason
 * @param bytesToRead of all source objects that the plan knows of so far
 */
public record RunTotals(
        long objectsCopied,
        long objectsSkipped,
        long objectsUnreadable,
        long recordsCopied,
        Map<String, Long> recordsQuarantined,
        long landedObjects,
        long bytesCopied,
        long bytesRead,
        long bytesToRead) {
    public static final RunTotals NONE = new RunTotals(0, 0, 0, 0, Map.of(), 0, 0, 0, 0);

    private static final String QUARANTINED = "quarantined_";

    public RunTotals {
        recordsQuarantined = Map.copyOf(recordsQuarantined);
    }

    public static RunTotals of(RunCounters c) {
        return new RunTotals(
                c.objectsCopied(),
                c.objectsSkipped(),
                c.objectsUnreadable(),
                c.recordsCopied(),
                c.recordsQuarantined(),
                c.landedObjects(),
                c.bytesCopied(),
                c.bytesRead(),
                c.bytesToRead());
    }

    /** What was done since. */
    public RunTotals minus(RunTotals earlier) {
        Map<String, Long> difference = new TreeMap<>(counters());
        earlier.counters().forEach((name, n) -> difference.merge(name, -n, Long::sum));
        return ofCounters(difference);
    }

    /** As counters by name, of letters and underscores. */
    Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>();
        counters.put("objects_copied", objectsCopied);
        counters.put("objects_skipped", objectsSkipped);
        counters.put("objects_unreadable", objectsUnreadable);
        counters.put("records_copied", recordsCopied);
        counters.put("landed_objects", landedObjects);
        counters.put("bytes_copied", bytesCopied);
        counters.put("bytes_read", bytesRead);
        counters.put("bytes_to_read", bytesToRead);
        recordsQuarantined.forEach((reason, n) -> counters.put(QUARANTINED + reason, n));
        return counters;
    }

    /** From counters; unknown ones do not count. */
    static RunTotals ofCounters(Map<String, Long> counters) {
        Map<String, Long> quarantined = new TreeMap<>();
        counters.forEach((name, n) -> {
            if (name.startsWith(QUARANTINED) && n != 0) {
                quarantined.put(name.substring(QUARANTINED.length()), n);
            }
        });
        return new RunTotals(
                counters.getOrDefault("objects_copied", 0L),
                counters.getOrDefault("objects_skipped", 0L),
                counters.getOrDefault("objects_unreadable", 0L),
                counters.getOrDefault("records_copied", 0L),
                quarantined,
                counters.getOrDefault("landed_objects", 0L),
                counters.getOrDefault("bytes_copied", 0L),
                counters.getOrDefault("bytes_read", 0L),
                counters.getOrDefault("bytes_to_read", 0L));
    }
}
