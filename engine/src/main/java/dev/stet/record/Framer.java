package dev.stet.record;

import java.io.IOException;
import java.io.InputStream;

/** Splits one decompressed object into records. An instance is reused from object to object by one thread; it owns its buffers. */
public interface Framer {

    /**
     * Reads {@code in} to its end and hands every byte that is not framing to {@code handler}.
     *
     * @return where the bytes went; their sum is the number of bytes read
     * @throws WholeObjectException when nothing of the object may land (rule book D3, and what {@code in} itself throws)
     */
    FramedBytes frame(InputStream in, RecordHandler handler) throws IOException;

    /** Conservation of one object: bytes read = records + framing + set aside. All counts in bytes but {@code recordCount}. */
    record FramedBytes(long recordCount, long records, long framing, long setAside) {
        public long total() {
            return records + framing + setAside;
        }
    }
}
