package dev.stet.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;

/** Streams that behave badly within their contract, and what is needed to look at a decoded object. */
final class Streams {
    /** What an object decodes to. */
    static final class Decoded {
        private final byte[] content;
        private final byte[] trailing;

        private Decoded(byte[] content, byte[] trailing) {
            this.content = content;
            this.trailing = trailing;
        }

        byte[] content() {
            return content;
        }

        byte[] trailing() {
            return trailing;
        }
    }

    private Streams() {}

    static byte[] join(byte[]... parts) {
        var joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    static Decoded decode(byte[] raw) throws IOException {
        return decode(new ByteArrayInputStream(raw));
    }

    static Decoded decode(InputStream raw) throws IOException {
        try (var decoded = SourceDecoder.open(raw)) {
            byte[] content = decoded.content().readAllBytes();
            return new Decoded(content, decoded.trailing().readAllBytes());
        }
    }

    /** Gives the bytes in random pieces, most of them of one byte. */
    static InputStream dribble(byte[] bytes, Random random) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                int most = random.nextInt(4) == 0 ? 1 + random.nextInt(50) : 1;
                return super.read(into, offset, Math.min(length, most));
            }
        };
    }

    /** Gives the first bytes and then fails. */
    static InputStream failing(byte[] bytes, int after, Exception failure) {
        return new ByteArrayInputStream(bytes, 0, after) {
            @Override
            public synchronized int read() {
                throw new AssertionError("reads in pieces only");
            }

            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                int count = super.read(into, offset, length);
                if (count < 0) {
                    throw Streams.<RuntimeException>sneaky(failure);
                }
                return count;
            }
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable failure) throws T {
        throw (T) failure;
    }
}
