package dev.stet.codec;

import java.io.Closeable;
import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes gzip members (RFC 1952), one after the other, and leaves the source right after each. The JDK's GZIPInputStream hides where a member
 * ends and takes what comes after it for the end of the file. Not thread-safe.
 */
final class GzipMember implements Closeable {
    static final int MAGIC_1 = 0x1F;
    static final int MAGIC_2 = 0x8B;
    static final int DEFLATE = 8;

    private static final int HEADER_SIZE = 10;
    private static final int TRAILER_SIZE = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();

    /** Reads a header; the source stands at its magic number. */
    void begin(SourceBuffer source) throws IOException {
        inflater.reset();
        crc.reset();
        require(source, HEADER_SIZE);
        int flags = source.byteAt(3);
        if (source.byteAt(0) != MAGIC_1 || source.byteAt(1) != MAGIC_2 || source.byteAt(2) != DEFLATE) {
            throw new DamagedDataException("not a gzip header");
        }
        if ((flags & RESERVED) != 0) {
            throw new DamagedDataException("gzip header with unknown flags");
        }
        takeHeader(source, HEADER_SIZE);
        if ((flags & EXTRA) != 0) {
            skipExtra(source);
        }
        if ((flags & NAME) != 0) {
            skipText(source);
        }
        if ((flags & COMMENT) != 0) {
            skipText(source);
        }
        if ((flags & HEADER_CRC) != 0) {
            checkHeader(source);
        }
        crc.reset();
    }

    private void takeHeader(SourceBuffer source, int count) {
        crc.update(source.bytes(), source.position(), count);
        source.take(count);
    }

    private void skipExtra(SourceBuffer source) throws IOException {
        require(source, 2);
        int left = source.byteAt(0) | source.byteAt(1) << 8;
        takeHeader(source, 2);
        while (left > 0) {
            require(source, 1);
            int count = Math.min(left, source.available());
            takeHeader(source, count);
            left -= count;
        }
    }

    private void skipText(SourceBuffer source) throws IOException {
        int last;
        do {
            require(source, 1);
            last = source.byteAt(0);
            takeHeader(source, 1);
        } while (last != 0);
    }

    private void checkHeader(SourceBuffer source) throws IOException {
        int expected = (int) crc.getValue() & 0xFFFF;
        require(source, 2);
        if ((source.byteAt(0) | source.byteAt(1) << 8) != expected) {
            throw new DamagedDataException("gzip header checksum is wrong");
        }
        source.take(2);
    }

    /** Reads content of the member; -1 at its end, once the trailer was found right. */
    int read(SourceBuffer source, byte[] into, int offset, int length) throws IOException {
        try {
            while (!inflater.finished()) {
                if (source.peek(1) == 0) {
                    throw new DamagedDataException("gzip member is cut");
                }
                int available = source.available();
                inflater.setInput(source.bytes(), source.position(), available);
                int count = inflater.inflate(into, offset, length);
                int taken = available - inflater.getRemaining();
                source.take(taken);
                if (count > 0) {
                    crc.update(into, offset, count);
                    return count;
                }
                if (taken == 0 && !inflater.finished()) {
                    throw new DamagedDataException("gzip member makes no sense");
                }
            }
        } catch (DataFormatException e) {
            throw new DamagedDataException("gzip member makes no sense: " + e.getMessage());
        }
        checkTrailer(source);
        return -1;
    }

    private void checkTrailer(SourceBuffer source) throws IOException {
        require(source, TRAILER_SIZE);
        if (source.littleEndian32(0) != (int) crc.getValue()) {
            throw new DamagedDataException("gzip checksum is wrong");
        }
        if (source.littleEndian32(4) != (int) inflater.getBytesWritten()) {
            throw new DamagedDataException("gzip length is wrong");
        }
        source.take(TRAILER_SIZE);
    }

    private static void require(SourceBuffer source, int count) throws IOException {
        if (source.peek(count) < count) {
            throw new DamagedDataException("gzip member is cut");
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
