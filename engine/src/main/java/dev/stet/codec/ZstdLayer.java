package dev.stet.codec;

import java.io.IOException;

/** Zstd frames, with skippable frames anywhere among them. */
final class ZstdLayer extends Layer {
    private static final int MAGIC_SIZE = 4;
    private static final int SKIPPABLE_HEADER_SIZE = 8;

    private final ZstdFrame frame = new ZstdFrame();
    private boolean inFrame;

    ZstdLayer(SourceBuffer source) {
        super(source);
    }

    @Override
    int readContent(SourceBuffer in, byte[] into, int offset, int length) throws IOException {
        while (inFrame || nextFrame(in)) {
            int count = frame.read(in, into, offset, length);
            inFrame = count > 0;
            if (inFrame) {
                return count;
            }
        }
        return -1;
    }

    private boolean nextFrame(SourceBuffer in) throws IOException {
        while (in.peek(MAGIC_SIZE) >= MAGIC_SIZE) {
            int magic = in.littleEndian32(0);
            if (magic == ZstdFrame.MAGIC) {
                frame.begin();
                return true;
            }
            if ((magic & ZstdFrame.SKIPPABLE_MASK) != ZstdFrame.SKIPPABLE_MAGIC) {
                return false;
            }
            skip(in);
        }
        if (beginsMagic(in)) {
            throw new DamagedDataException("zstd frame is cut");
        }
        return false;
    }

    private static void skip(SourceBuffer in) throws IOException {
        require(in, SKIPPABLE_HEADER_SIZE);
        long left = Integer.toUnsignedLong(in.littleEndian32(MAGIC_SIZE));
        in.take(SKIPPABLE_HEADER_SIZE);
        while (left > 0) {
            require(in, 1);
            int count = (int) Math.min(left, in.available());
            in.take(count);
            left -= count;
        }
    }

    private static void require(SourceBuffer in, int count) throws IOException {
        if (in.peek(count) < count) {
            throw new DamagedDataException("zstd skippable frame is cut");
        }
    }

    /** Whether the last one to three bytes are how a frame begins. */
    private static boolean beginsMagic(SourceBuffer in) {
        int available = in.available();
        boolean frame = available > 0;
        boolean skippable = available > 0 && (in.byteAt(0) & 0xF0) == 0x50;
        for (int i = 0; i < available; i++) {
            frame &= in.byteAt(i) == (ZstdFrame.MAGIC >>> (8 * i) & 0xFF);
            skippable &= i == 0 || in.byteAt(i) == (ZstdFrame.SKIPPABLE_MAGIC >>> (8 * i) & 0xFF);
        }
        return frame || skippable;
    }

    @Override
    public void close() {
        frame.close();
    }
}
