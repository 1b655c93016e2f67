package dev.stet.stage;

import dev.stet.store.ObjectStore;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/** Reads a committed bundle: which runs count, and each run's slices in order. */
public final class BundleReader {
    private static final int TAIL = 16 << 10;

    private final ObjectStore staging;
    private final String key;

    public BundleReader(ObjectStore staging, String key) {
        this.staging = staging;
        this.key = key;
    }

    /** The runs that count. {@code bundleLength} is the commit's. */
    public List<RunInfo> runs(long bundleLength) throws IOException {
        int tailLength = (int) Math.min(TAIL, bundleLength);
        byte[] tail = bytes(bundleLength - tailLength, tailLength);
        if (tailLength < IndexFormat.TRAILER_BYTES) {
            throw IndexFormat.damaged(staging.describe(key), "it is too short");
        }
        int end = tailLength - IndexFormat.TRAILER_BYTES;
        byte[] trailer = Arrays.copyOfRange(tail, end, tailLength);
        int length = IndexFormat.footerLength(trailer, staging.describe(key));
        if (length > bundleLength - IndexFormat.TRAILER_BYTES) {
            throw IndexFormat.damaged(staging.describe(key), "its footer is longer than itself");
        }
        byte[] footer = length <= end
                ? Arrays.copyOfRange(tail, end - length, end)
                : bytes(bundleLength - IndexFormat.TRAILER_BYTES - length, length);
        return IndexFormat.runs(footer, trailer, staging.describe(key));
    }

    private byte[] bytes(long offset, int length) throws IOException {
        try (InputStream in = staging.read(key, offset, length)) {
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new EOFException("the staged bundle is too short: " + staging.describe(key));
            }
            return bytes;
        }
    }

    /** Walks through a run's index, {@code blockBytes} at a time: no stream stays open, memory does not grow with the slices. */
    public SliceCursor slices(RunInfo run, int blockBytes, ReadsAhead reads) {
        return new SliceCursor(run.indexOffset(), run.indexLength(), Optional.of(run), blockBytes, reads);
    }

    /** Walks through a part of a run's index that begins and ends between two slices. Its checksum cannot be compared: for callers that check what they find. */
    public SliceCursor slices(long indexOffset, long indexLength, int blockBytes, ReadsAhead reads) {
        return new SliceCursor(indexOffset, indexLength, Optional.empty(), blockBytes, reads);
    }

    /** Not thread-safe. */
    public final class SliceCursor {
        private final Optional<RunInfo> whole;
        private final CRC32C crc = new CRC32C();
        private final BlockInputStream blocks;
        private final DataInputStream in;
        private final long end;
        private int read;

        SliceCursor(long offset, long length, Optional<RunInfo> whole, int blockBytes, ReadsAhead reads) {
            this.whole = whole;
            this.end = offset + length;
            this.blocks = new BlockInputStream(staging, key, offset, length, blockBytes, reads);
            this.in = new DataInputStream(new CheckedInputStream(blocks, crc));
        }

        /** Begins to read, so that {@link #next} need not wait long. */
        public void begin() {
            blocks.begin();
        }

        /** Where the next slice's entry begins in the bundle. */
        public long position() {
            return blocks.position();
        }

        /** The next slice, or empty at the end, where the checksum of a whole index is compared. */
        public Optional<Slice> next() throws IOException {
            if (position() >= end) {
                if (whole.isPresent()
                        && (read != whole.get().slices()
                                || (int) crc.getValue() != whole.get().indexCrc32c())) {
                    throw IndexFormat.damaged(
                            staging.describe(key),
                            "the index of run " + whole.get().number() + " fails its checksum");
                }
                return Optional.empty();
            }
            read++;
            return Optional.of(IndexFormat.read(in));
        }
    }
}
