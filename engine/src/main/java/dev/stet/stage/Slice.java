package dev.stet.stage;

import dev.stet.audit.Digest;
import dev.stet.codec.SliceCodec;
import java.util.Optional;

/**
 * All records of one partition in one run: a unit that can be copied alone.
 *
 * @param timePartition as in {@link dev.stet.route.RouteResult#timePartition}; 0 for the quarantine
 * @param path partition path relative to the sink, ASCII, no slash at either end
 * @param offset in the bundle, bytes
 * @param stagedLength bytes in the bundle, an independent frame of {@code codec}
 * @param landedLength bytes when unpacked
 * @param digest of its records (of the spans, for {@link SliceKind#RAW})
 * @param crc32c of the unpacked bytes
 * @param stagedCrc32c of the bytes in the bundle
 * @param origin where a RAW span comes from
 */
public record Slice(
        SliceKind kind,
        long timePartition,
        String path,
        long offset,
        long stagedLength,
        SliceCodec codec,
        long landedLength,
        Digest digest,
        int crc32c,
        int stagedCrc32c,
        Optional<Origin> origin) {

    /** @param offset bytes after decompression */
    public record Origin(String reason, SourceRef source, long offset) {}
}
