package dev.stet.codec;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Unpacks slices. Reused; not thread-safe; holds memory outside the heap until it is closed. */
public final class SliceDecoder implements Closeable {
    private final Frame frame;
    private final SourceBuffer source = new SourceBuffer(InputStream.nullInputStream());
    private final byte[] content = new byte[SourceBuffer.CAPACITY];

    public SliceDecoder(SliceCodec codec) {
        this.frame = switch (codec) {
            case NONE -> new PlainFrame();
            case GZIP -> new GzipFrame();
            case ZSTD -> new ZstdSliceFrame();
        };
    }

    /**
     * Unpacks the slice that makes up the next {@code length} bytes of {@code in}, and reads no byte more.
     *
     * @return how many bytes went to {@code out}
     * @throws DamagedDataException if those bytes are not exactly one sound frame
     * @throws EOFException if {@code in} ends before
     */
    public long decode(InputStream in, long length, ByteSink out) throws IOException {
        source.reset(new ExactInput(in, length));
        frame.begin(source);
        long written = 0;
        int count = frame.read(source, content);
        while (count >= 0) {
            out.write(content, 0, count);
            written += count;
            count = frame.read(source, content);
        }
        if (source.peek(1) > 0) {
            throw new DamagedDataException("slice is longer than its frame");
        }
        return written;
    }

    @Override
    public void close() {
        frame.close();
    }

    /** One codec. */
    private sealed interface Frame extends Closeable {
        void begin(SourceBuffer source) throws IOException;

        int read(SourceBuffer source, byte[] into) throws IOException;

        @Override
        void close();
    }

    private static final class PlainFrame implements Frame {
        @Override
        public void begin(SourceBuffer source) {}

        @Override
        public int read(SourceBuffer source, byte[] into) throws IOException {
            return source.read(into, 0, into.length);
        }

        @Override
        public void close() {}
    }

    private static final class GzipFrame implements Frame {
        private final GzipMember member = new GzipMember();

        @Override
        public void begin(SourceBuffer source) throws IOException {
            member.begin(source);
        }

        @Override
        public int read(SourceBuffer source, byte[] into) throws IOException {
            return member.read(source, into, 0, into.length);
        }

        @Override
        public void close() {
            member.close();
        }
    }

    private static final class ZstdSliceFrame implements Frame {
        private final ZstdFrame zstd = new ZstdFrame();

        @Override
        public void begin(SourceBuffer source) throws IOException {
            if (source.peek(4) < 4 || source.littleEndian32(0) != ZstdFrame.MAGIC) {
                throw new DamagedDataException("not a zstd frame");
            }
            zstd.begin();
        }

        @Override
        public int read(SourceBuffer source, byte[] into) throws IOException {
            try {
                return zstd.read(source, into, 0, into.length);
            } catch (UnsupportedDataException e) {
                throw new DamagedDataException(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void close() {
            zstd.close();
        }
    }

    /** So many bytes of a stream, and no fewer. */
    private static final class ExactInput extends InputStream {
        private final InputStream in;
        private long left;

        ExactInput(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = in.read(into, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException(left + " bytes of the slice are missing");
            }
            left -= count;
            return count;
        }
    }
}
