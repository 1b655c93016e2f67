package dev.stet.corpus;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/** Compressed forms of an object's bytes, whole and broken. */
final class Codecs {
    private Codecs() {}

    /** One member or many, cut anywhere, within records too. */
    static byte[] gzip(byte[] bytes, Dice dice) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 3 + 64);
        int members = dice.chance(0.5) ? 1 : dice.between(2, 12);
        int from = 0;
        for (int i = 1; i <= members; i++) {
            int to = i == members ? bytes.length : from + dice.below(Math.max(1, (bytes.length - from) / 2));
            out.writeBytes(member(bytes, from, to, dice));
            from = to;
        }
        return out.toByteArray();
    }

    private static byte[] member(byte[] bytes, int from, int to, Dice dice) {
        ByteArrayOutputStream out = new ByteArrayOutputStream((to - from) / 3 + 64);
        boolean named = dice.chance(0.2);
        out.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, (byte) (named ? 8 : 0), 0, 0, 0, 0, 0, (byte) 255});
        if (named) {
            out.writeBytes("events\0".getBytes(US_ASCII));
        }
        Deflater deflater = new Deflater(dice.pick("1", "6").equals("1") ? 1 : 6, true);
        deflater.setInput(bytes, from, to - from);
        deflater.finish();
        byte[] buffer = new byte[16_384];
        while (!deflater.finished()) {
            out.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        CRC32 crc = new CRC32();
        crc.update(bytes, from, to - from);
        littleEndian(out, crc.getValue());
        littleEndian(out, to - from);
        return out.toByteArray();
    }

    private static void littleEndian(ByteArrayOutputStream out, long value) {
        for (int shift = 0; shift < 32; shift += 8) {
            out.write((int) (value >>> shift));
        }
    }

    /** gzip, or what the rule book takes as well: zero padding after it, gzip twice, zstd, bzip2. */
    static byte[] anyOf(byte[] bytes, Dice dice) throws IOException {
        return switch (dice.below(20)) {
            case 0 -> join(gzip(bytes, dice), new byte[dice.between(1, 2_000)]);
            case 1 -> gzip(gzip(bytes, dice), dice);
            case 2, 3 -> zstd(bytes, dice);
            case 4 -> bzip2(bytes);
            default -> gzip(bytes, dice);
        };
    }

    private static byte[] zstd(byte[] bytes, Dice dice) {
        int cut = dice.below(bytes.length + 1);
        byte[] skippable = {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'n', 'o', 't'};
        return join(
                Zstd.compress(Arrays.copyOf(bytes, cut)),
                dice.chance(0.5) ? skippable : new byte[0],
                Zstd.compress(Arrays.copyOfRange(bytes, cut, bytes.length)));
    }

    private static byte[] bzip2(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (BZip2CompressorOutputStream bzip2 = new BZip2CompressorOutputStream(out, 1)) {
            bzip2.write(bytes);
        }
        return out.toByteArray();
    }

    /** A gzip object that ends early, or whose last checksum is wrong. */
    static byte[] corrupt(byte[] bytes, Dice dice) {
        byte[] good = gzip(bytes, dice);
        if (dice.chance(0.5)) {
            good[good.length - 8 + dice.below(4)] ^= (byte) (1 << dice.below(8));
            return good;
        }
        return Arrays.copyOf(good, good.length - dice.between(1, 8));
    }

    static byte[] zip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            ZipEntry entry = new ZipEntry("events.json");
            entry.setTime(1_633_392_000_000L);
            zip.putNextEntry(entry);
            zip.write(bytes);
        }
        return out.toByteArray();
    }

    /** The framing format of snappy, as far as anyone looks without a decoder. */
    static byte[] snappy(byte[] bytes) {
        byte[] head = {(byte) 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y', 1};
        return join(head, bytes);
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
