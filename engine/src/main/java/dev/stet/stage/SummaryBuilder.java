package dev.stet.stage;

import dev.stet.audit.Digest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Adds up slices, per run and per bundle. Not thread-safe. */
final class SummaryBuilder {
    private static final String REASON_FOLDER = Quarantine.FOLDER + "/reason=";

    private static final int MAX_TIME_PARTITIONS = 1_000;

    private Digest records = Digest.EMPTY;
    private final Map<String, Long> quarantined = new TreeMap<>();
    private final TreeSet<Long> timePartitions = new TreeSet<>();
    private long landingBytes;

    void add(Slice slice) {
        landingBytes += slice.landedLength();
        if (Quarantine.holds(slice.path())) {
            quarantined.merge(reason(slice.path()), slice.digest().count(), Long::sum);
        } else {
            records = records.plus(slice.digest());
        }
        timePartitions.add(slice.timePartition());
        trim();
    }

    /** The reason's wire name in a quarantine path. */
    static String reason(String path) {
        return path.substring(REASON_FOLDER.length());
    }

    void add(SummaryBuilder other) {
        records = records.plus(other.records);
        landingBytes += other.landingBytes;
        other.quarantined.forEach((reason, n) -> quarantined.merge(reason, n, Long::sum));
        timePartitions.addAll(other.timePartitions);
        trim();
    }

    /** They are kept for people to see; the index has all. */
    private void trim() {
        while (timePartitions.size() > MAX_TIME_PARTITIONS) {
            timePartitions.pollLast();
        }
    }

    BundleSummary build(long length, int crc32c) {
        return new BundleSummary(
                length, crc32c, records, Map.copyOf(quarantined), landingBytes, List.copyOf(timePartitions));
    }
}
