package dev.stet.codec;

import java.io.Closeable;
import java.io.IOException;

/**
 * Packs slices, one after the other: {@link #begin}, any number of {@link #write}, {@link #end}. Equal slices give equal bytes, however they are
 * cut into writes. A slice that failed or is not wanted any more is dropped by the next {@code begin}. Reused; not thread-safe; holds memory outside
 * the heap until it is closed.
 */
public sealed interface SliceEncoder extends Closeable permits PlainEncoder, FrameEncoder {
    /** Starts a slice whose packed bytes go to {@code out}. */
    void begin(ByteSink out) throws IOException;

    /** Adds {@code bytes[from, to)} to the slice. */
    void write(byte[] bytes, int from, int to) throws IOException;

    /** Ends the slice: all its bytes are with the sink. Returns how many there are, packed. */
    long end() throws IOException;

    /** Releases what the encoder holds. */
    @Override
    void close();

    /** An encoder at the level that suits staging: see docs/decisions/routing.md for the measurement. */
    static SliceEncoder of(SliceCodec codec) {
        return switch (codec) {
            case NONE -> new PlainEncoder();
            case GZIP -> of(codec, GzipEncoder.DEFAULT_LEVEL);
            case ZSTD -> of(codec, ZstdEncoder.DEFAULT_LEVEL);
        };
    }

    /**
     * An encoder at another level.
     *
     * @param level in the codec's own terms: gzip 1 to 9, zstd 1 to 19; without meaning for {@link SliceCodec#NONE}
     */
    static SliceEncoder of(SliceCodec codec, int level) {
        return switch (codec) {
            case NONE -> new PlainEncoder();
            case GZIP -> new GzipEncoder(level);
            case ZSTD -> new ZstdEncoder(level);
        };
    }
}
