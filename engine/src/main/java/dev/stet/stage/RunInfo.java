package dev.stet.stage;

/**
 * One run in a bundle: its slices' bytes, then its index. Lengths and offsets in bytes.
 *
 * @param number counts all runs of the bundle, also those that stay out of the footer
 */
public record RunInfo(int number, long offset, long dataLength, int indexLength, int indexCrc32c, int slices) {
    public long indexOffset() {
        return offset + dataLength;
    }
}
