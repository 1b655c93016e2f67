package dev.stet.codec;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Packs each slice into one gzip member, without time and system in its header, so that its bytes depend on the slice alone. */
final class GzipEncoder extends FrameEncoder {
    /** Gzip frames stay for good, in the place of those they were copied from, which mostly have this level. */
    static final int DEFAULT_LEVEL = 6;

    private static final byte UNKNOWN_SYSTEM = (byte) 0xFF;
    private static final byte[] HEADER = {
        GzipMember.MAGIC_1, (byte) GzipMember.MAGIC_2, GzipMember.DEFLATE, 0, 0, 0, 0, 0, 0, UNKNOWN_SYSTEM
    };

    private final Deflater deflater;
    private final CRC32 crc = new CRC32();
    private final byte[] trailer = new byte[8];

    GzipEncoder(int level) {
        deflater = new Deflater(level, true);
    }

    @Override
    void beginFrame() throws IOException {
        deflater.reset();
        crc.reset();
        emit(HEADER, HEADER.length);
    }

    @Override
    void pack(byte[] bytes, int length) throws IOException {
        crc.update(bytes, 0, length);
        deflater.setInput(bytes, 0, length);
        while (!deflater.needsInput()) {
            emit(packed(), deflater.deflate(packed()));
        }
    }

    @Override
    void endFrame() throws IOException {
        deflater.finish();
        while (!deflater.finished()) {
            emit(packed(), deflater.deflate(packed()));
        }
        littleEndian32((int) crc.getValue(), 0);
        littleEndian32((int) deflater.getBytesRead(), 4);
        emit(trailer, trailer.length);
    }

    private void littleEndian32(int value, int at) {
        for (int i = 0; i < 4; i++) {
            trailer[at + i] = (byte) (value >>> (8 * i));
        }
    }

    @Override
    public void close() {
        deflater.end();
    }
}
