package dev.stet.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/** Compressed bytes made by others. */
final class Samples {
    private interface Wrapper {
        OutputStream wrap(OutputStream out) throws IOException;
    }

    private Samples() {}

    static byte[] json(int lines) {
        var text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append("{\"event_type\":\"view\",\"id\":")
                    .append(i * 7919L % 10_007)
                    .append(",\"tenant_id\":\"acme\"}\n");
        }
        return text.toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new Random(length).nextBytes(noise);
        noise[0] = '{';
        return noise;
    }

    static byte[] gzip(byte[] content) {
        return pack(content, GZIPOutputStream::new);
    }

    static byte[] bzip2(byte[] content) {
        return pack(content, out -> new BZip2CompressorOutputStream(out, 1));
    }

    static byte[] zstd(byte[] content) {
        return pack(content, out -> new ZstdOutputStreamNoFinalizer(out).setChecksum(true));
    }

    static byte[] zstdOfKnownSize(byte[] content) {
        return Zstd.compress(content);
    }

    static byte[] skippable(int type, int length) {
        return ByteBuffer.allocate(8 + length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x184D2A50 + type)
                .putInt(length)
                .array();
    }

    private static byte[] pack(byte[] content, Wrapper wrapper) {
        var packed = new ByteArrayOutputStream();
        try (var out = wrapper.wrap(packed)) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return packed.toByteArray();
    }

    /** A member with the header fields the flags ask for: 1 text, 2 header checksum, 4 extra field, 8 name, 16 comment. */
    static byte[] gzipWithHeader(byte[] content, int flags, int extraLength) {
        byte[] plain = gzip(content);
        var header = new ByteArrayOutputStream();
        header.write(plain, 0, 3);
        header.write(flags);
        header.writeBytes(new byte[] {1, 2, 3, 4, 2, 3});
        if ((flags & 4) != 0) {
            header.write(extraLength);
            header.write(extraLength >> 8);
            header.writeBytes(new byte[extraLength]);
        }
        if ((flags & 8) != 0) {
            header.writeBytes("näme.json\0".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        if ((flags & 16) != 0) {
            header.writeBytes(("c".repeat(100_000) + "\0").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        if ((flags & 2) != 0) {
            var crc = new CRC32();
            crc.update(header.toByteArray());
            header.write((int) crc.getValue());
            header.write((int) crc.getValue() >> 8);
        }
        header.write(plain, 10, plain.length - 10);
        return header.toByteArray();
    }
}
