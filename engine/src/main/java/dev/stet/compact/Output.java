package dev.stet.compact;

import dev.stet.audit.Crc32c;
import dev.stet.stage.SliceKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A landed object by the plan: its key, its parts, and so its length and checksum before any byte moved.
 *
 * @param key relative to the sink
 * @param ordinal counts the outputs of its path from 0
 */
record Output(String key, long timePartition, int ordinal, List<Part> parts, long length, int crc32c) {

    /** Collects parts. */
    static final class Builder {
        private final String key;
        private final long timePartition;
        private final int ordinal;
        private final SliceKind kind;
        private final boolean gzip;
        private final List<Part> parts = new ArrayList<>();
        private long length;
        private long unpackedLength;
        private int crc32c;

        Builder(String key, long timePartition, int ordinal, SliceKind kind, boolean gzip) {
            this.key = key;
            this.timePartition = timePartition;
            this.ordinal = ordinal;
            this.kind = kind;
            this.gzip = gzip;
        }

        boolean takes(SliceKind otherKind, boolean otherGzip) {
            return kind == otherKind && gzip == otherGzip;
        }

        void add(Part part, long partUnpacked) {
            parts.add(part);
            crc32c = length == 0 ? part.crc32c() : Crc32c.combine(crc32c, part.crc32c(), part.length());
            length += part.length();
            unpackedLength += partUnpacked;
        }

        long length() {
            return length;
        }

        /** Where the next part's bytes begin for a reader of the unpacked object. */
        long unpackedLength() {
            return unpackedLength;
        }

        String fileName() {
            return key.substring(key.lastIndexOf('/') + 1);
        }

        Output build() {
            return new Output(key, timePartition, ordinal, List.copyOf(parts), length, crc32c);
        }
    }
}
