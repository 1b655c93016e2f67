package dev.stet.compact;

import dev.stet.stage.Slice;

/** A stretch of a landed object. Lengths and checksums are of the bytes as they land. */
sealed interface Part {
    long length();

    int crc32c();

    /**
     * A slice, as it is or unpacked.
     *
     * @param commit its place in the header
     * @param run its run's number in the bundle
     */
    record OfSlice(int commit, int run, Slice slice, boolean unpack) implements Part {
        @Override
        public long length() {
            return unpack ? slice.landedLength() : slice.stagedLength();
        }

        @Override
        public int crc32c() {
            return unpack ? slice.crc32c() : slice.stagedCrc32c();
        }
    }

    /** Bytes that the plan itself makes: quarantine lines that say where in a landed object a span is held. */
    record Literal(byte[] bytes, int crc32c) implements Part {
        @Override
        public long length() {
            return bytes.length;
        }
    }
}
