package dev.stet.stage;

import dev.stet.audit.Digest;
import java.util.List;
import java.util.Map;

/**
 * What a finished bundle holds.
 *
 * @param length bytes; 0: nothing was staged and there is no bundle
 * @param records digest of the records that will land, from their slices
 * @param quarantined items by reason wire name, from their slices
 * @param stagedItems set-aside items found in the slices; must equal the sum of {@code quarantined}
 * @param landingBytes bytes of all slices when unpacked
 */
public record BundleSummary(
        long length,
        int crc32c,
        Digest records,
        Map<String, Long> quarantined,
        long landingBytes,
        List<Long> timePartitions) {}
