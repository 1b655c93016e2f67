package dev.stet.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/** Bzip2 streams. The library reads bit by bit and never past the stream's last byte, so the source stands right after it. */
final class Bzip2Layer extends Layer {
    private Optional<InputStream> stream = Optional.empty();

    Bzip2Layer(SourceBuffer source) {
        super(source);
    }

    @Override
    int readContent(SourceBuffer in, byte[] into, int offset, int length) throws IOException {
        while (stream.isPresent() || nextStream(in)) {
            int count = read(stream.orElseThrow(), into, offset, length);
            if (count > 0) {
                return count;
            }
            stream = Optional.empty();
        }
        return -1;
    }

    private boolean nextStream(SourceBuffer in) throws IOException {
        int available = in.peek(Compression.BZIP2_MAGIC_SIZE);
        if (available == 0 || !Compression.beginsBzip2(in)) {
            return false;
        }
        stream = Optional.of(open(in));
        return true;
    }

    private static InputStream open(SourceBuffer in) throws IOException {
        try {
            return new BZip2CompressorInputStream(new Feed(in), false);
        } catch (IOException | RuntimeException e) {
            throw translate(e);
        }
    }

    private static int read(InputStream stream, byte[] into, int offset, int length) throws IOException {
        try {
            return stream.read(into, offset, length);
        } catch (IOException | RuntimeException e) {
            throw translate(e);
        }
    }

    /** The library reports damage as IOException and by stumbling over it; failures of the source come through it in a wrapper. */
    private static IOException translate(Exception e) {
        if (e instanceof SourceFailure failure) {
            return failure.unwrap();
        }
        return new DamagedDataException("bzip2 stream makes no sense: " + e.getMessage());
    }

    /** Nothing to release: the library holds arrays only. */
    @Override
    public void close() {
        stream = Optional.empty();
    }

    /** The source as the library reads it, byte by byte. */
    private static final class Feed extends InputStream {
        private final SourceBuffer in;

        Feed(SourceBuffer in) {
            this.in = in;
        }

        @Override
        public int read() {
            try {
                return in.read();
            } catch (IOException | RuntimeException e) {
                throw new SourceFailure(e);
            }
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int next = length == 0 ? 0 : read();
            if (length == 0 || next < 0) {
                return next;
            }
            into[offset] = (byte) next;
            return 1;
        }
    }

    private static final class SourceFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SourceFailure(Exception cause) {
            super(cause);
        }

        IOException unwrap() {
            return switch (getCause()) {
                case IOException failure -> failure;
                case RuntimeException failure -> throw failure;
                case null, default -> throw this;
            };
        }
    }
}
