package dev.stet.record;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/** Splits one decompressed object into records. An instance is reused from object to object by one thread; it owns its buffers. */
public interface Framer {

    /**
     * Reads {@code in} to its end and hands every byte that is not framing to {@code handler}.
     *
     * @return where the bytes went; their sum is the number of bytes read
     * @throws WholeObjectException when nothing of the object may land (rule book D3, and what {@code in} itself throws)
     */
    default FramedBytes frame(InputStream in, RecordHandler handler) throws IOException {
        return frame(in, 0, handler, () -> false).bytes();
    }

    /**
     * As {@link #frame(InputStream, RecordHandler)}, in stretches: what stretches that follow each other give is what one call gives.
     *
     * @param in from {@code offset} on
     * @param offset 0, or where the stretch before ended
     * @param pause asked now and then between two top-level values: when true, the stretch ends there, if nothing before may bear on what follows
     */
    Stretch frame(InputStream in, long offset, RecordHandler handler, BooleanSupplier pause) throws IOException;

    /**
     * A stretch that was framed.
     *
     * @param bytes of the stretch
     * @param offset behind it, in the object
     * @param ended whether the object ends there
     */
    record Stretch(FramedBytes bytes, long offset, boolean ended) {}

    /** Conservation of one object: bytes read = records + framing + set aside. All counts in bytes but {@code recordCount}. */
    record FramedBytes(long recordCount, long records, long framing, long setAside) {
        public long total() {
            return records + framing + setAside;
        }
    }
}
