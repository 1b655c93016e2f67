package dev.stet.codec;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes zstd frames, one after the other, and leaves the source right after each. Loading the native library takes long, so this class must not
 * be touched before there is a frame. Not thread-safe.
 */
final class ZstdFrame implements Closeable {
    static final int MAGIC = 0xFD2FB528;
    static final int SKIPPABLE_MAGIC = 0x184D2A50;
    static final int SKIPPABLE_MASK = 0xFFFFFFF0;

    /** Codes of libzstd's errors for frames that are sound but ask for what is not to be had: a window of over 128 MiB, a dictionary. */
    private static final int WINDOW_TOO_LARGE = 16;

    private static final int DICTIONARY_WRONG = 32;

    private final ZstdDecompressCtx context = new ZstdDecompressCtx();
    private boolean finished;

    /** Gets ready for a frame; the source stands at its magic number. */
    void begin() {
        context.reset();
        finished = false;
    }

    /** Reads content of the frame; -1 at its end, once its checksum (if it has one) was found right. */
    int read(SourceBuffer source, byte[] into, int offset, int length) throws IOException {
        var out = ByteBuffer.wrap(into, offset, length);
        while (!finished) {
            int available = source.available();
            var in = ByteBuffer.wrap(source.bytes(), source.position(), available);
            finished = decode(out, in);
            source.take(available - in.remaining());
            if (out.position() > offset) {
                return out.position() - offset;
            }
            if (!finished && source.available() == 0 && source.peek(1) == 0) {
                throw new DamagedDataException("zstd frame is cut");
            }
        }
        return -1;
    }

    private boolean decode(ByteBuffer out, ByteBuffer in) throws IOException {
        try {
            return context.decompressByteBufferStream(out, in);
        } catch (ZstdException e) {
            long code = Math.abs(e.getErrorCode());
            if (code == WINDOW_TOO_LARGE || code == DICTIONARY_WRONG) {
                throw new UnsupportedDataException("zstd frame cannot be read: " + e.getMessage());
            }
            throw new DamagedDataException("zstd frame makes no sense: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
