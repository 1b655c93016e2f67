package dev.stet.ledger;

import dev.stet.audit.Digest;
import java.util.List;
import java.util.Map;

/**
 * What a commit holds.
 *
 * @param bundleLength bytes of the bundle; 0 when nothing had to be staged (no bundle exists then)
 * @param bundleCrc32c of the whole bundle
 * @param manifestKey in staging; empty when there is no bundle
 * @param objects source objects it makes count, those without records included
 * @param records digest of the records that will land
 * @param quarantined items by reason wire name
 * @param landingBytes bytes that its slices have when landed
 * @param timePartitions of its slices, ascending; only the first {@link #MAX_TIME_PARTITIONS}
 * @param parts commits that count with this one: those of the same object before it (see {@link PartialCopy}); whose workers made them does not matter, it is this one's that made them count
 */
public record CommitDetails(
        long bundleLength,
        int bundleCrc32c,
        String manifestKey,
        long objects,
        Digest records,
        Map<String, Long> quarantined,
        long landingBytes,
        List<Long> timePartitions,
        List<String> parts) {
    /** A row must stay small; what is cut here stands in the bundle's index. */
    public static final int MAX_TIME_PARTITIONS = 1_000;

    public CommitDetails {
        quarantined = Map.copyOf(quarantined);
        timePartitions = timePartitions.stream().limit(MAX_TIME_PARTITIONS).toList();
        parts = List.copyOf(parts);
    }

    /** Of a commit that makes no other one count. */
    public CommitDetails(
            long bundleLength,
            int bundleCrc32c,
            String manifestKey,
            long objects,
            Digest records,
            Map<String, Long> quarantined,
            long landingBytes,
            List<Long> timePartitions) {
        this(
                bundleLength,
                bundleCrc32c,
                manifestKey,
                objects,
                records,
                quarantined,
                landingBytes,
                timePartitions,
                List.of());
    }

    /** The same of a commit that makes these count. */
    public CommitDetails withParts(List<String> commits) {
        return new CommitDetails(
                bundleLength,
                bundleCrc32c,
                manifestKey,
                objects,
                records,
                quarantined,
                landingBytes,
                timePartitions,
                commits);
    }
}
