package dev.stet.codec;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Packs each slice into one zstd frame with a checksum. */
final class ZstdEncoder extends FrameEncoder {
    /** Staged frames are read once and thrown away. */
    static final int DEFAULT_LEVEL = 1;

    private final ZstdCompressCtx context = new ZstdCompressCtx();
    private final int level;

    ZstdEncoder(int level) {
        this.level = level;
    }

    @Override
    void beginFrame() {
        context.reset();
        context.setLevel(level);
        context.setChecksum(true);
    }

    @Override
    void pack(byte[] bytes, int length) throws IOException {
        var in = ByteBuffer.wrap(bytes, 0, length);
        var out = ByteBuffer.wrap(packed());
        while (in.hasRemaining()) {
            context.compressByteBufferStream(out.clear(), in, EndDirective.CONTINUE);
            emit(packed(), out.position());
        }
    }

    @Override
    void endFrame() throws IOException {
        var in = ByteBuffer.wrap(packed(), 0, 0);
        var out = ByteBuffer.wrap(packed());
        boolean ended = false;
        while (!ended) {
            ended = context.compressByteBufferStream(out.clear(), in, EndDirective.END);
            emit(packed(), out.position());
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
