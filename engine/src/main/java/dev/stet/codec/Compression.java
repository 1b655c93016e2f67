package dev.stet.codec;

import java.io.IOException;

/** What the first bytes say of an object (rule book D15, D19). */
enum Compression {
    NONE,
    GZIP,
    ZSTD,
    BZIP2,
    UNSUPPORTED;

    static final int BZIP2_MAGIC_SIZE = 4;

    /** The most bytes any sign needs. */
    private static final int LOOK_AHEAD = 16;

    private static final int MAX_HADOOP_BLOCK = 1 << 24;

    /** First bytes of formats that are known and not read here, as hex. None of them can begin a text. */
    private static final String[] FOREIGN = {
        "504b0304", // zip
        "504b0506", // zip, empty
        "504b0708", // zip, spanned
        "fd377a585a00", // xz
        "377abcaf271c", // 7z
        "04224d18", // lz4
        "02214c18", // lz4, legacy
        "ff060000734e61507059", // snappy, framed
        "82534e4150505900", // snappy, as snappy-java writes it
        "894c5a4f000d0a1a0a", // lzop
        "4c5a495001", // lzip
        "526172211a07", // rar
        "1f9d", // compress
        "1fa0", // compress, LZH
        "1f1e", // pack
        "7801", // zlib
        "789c", // zlib
        "78da", // zlib
        "1eb52ffd", // zstd before 1.0
        "22b52ffd",
        "23b52ffd",
        "24b52ffd",
        "25b52ffd",
        "26b52ffd",
        "27b52ffd",
    };

    /** Tells the compression at the position of {@code in}, which stays where it is. */
    static Compression detect(SourceBuffer in) throws IOException {
        int available = Math.min(in.peek(LOOK_AHEAD), LOOK_AHEAD);
        if (available < 2) {
            return NONE;
        }
        if (in.byteAt(0) == GzipMember.MAGIC_1 && in.byteAt(1) == GzipMember.MAGIC_2) {
            return GZIP;
        }
        if (available >= 4 && isZstd(in.littleEndian32(0))) {
            return ZSTD;
        }
        if (available >= BZIP2_MAGIC_SIZE && isBzip2(in, available)) {
            return BZIP2;
        }
        return isForeign(in, available) || isHadoopSnappy(in, available) ? UNSUPPORTED : NONE;
    }

    private static boolean isZstd(int magic) {
        return magic == 0xFD2FB528 || (magic & 0xFFFFFFF0) == 0x184D2A50;
    }

    /** Asks for the mark of a block or of the end as well: a damaged text may begin with BZh1, and its sound lines are worth having. */
    private static boolean isBzip2(SourceBuffer in, int available) {
        return beginsBzip2(in)
                && (begins(in, 4, available, "314159265359") || begins(in, 4, available, "177245385090"));
    }

    /** Whether the next bytes are {@code BZh} and a digit, or as much of it as there is. Here, so that to ask does not load the library. */
    static boolean beginsBzip2(SourceBuffer in) {
        int available = in.available();
        return (available < 1 || in.byteAt(0) == 'B')
                && (available < 2 || in.byteAt(1) == 'Z')
                && (available < 3 || in.byteAt(2) == 'h')
                && (available < 4 || (in.byteAt(3) >= '1' && in.byteAt(3) <= '9'));
    }

    private static boolean isForeign(SourceBuffer in, int available) {
        for (String magic : FOREIGN) {
            if (2 * available >= magic.length() && begins(in, 0, available, magic)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the bytes from {@code at} on are those, or as many of them as there are. */
    private static boolean begins(SourceBuffer in, int at, int available, String hex) {
        int count = Math.min(available - at, hex.length() / 2);
        for (int i = 0; i < count; i++) {
            if (in.byteAt(at + i) != Integer.parseInt(hex, 2 * i, 2 * i + 2, 16)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Hadoop's snappy, which Firehose can write, has no magic number. It begins with the size of a block, the size of a chunk, and the chunk's own
     * size before compression; only for the real thing do the three agree. No text in any encoding does: see the tests.
     */
    private static boolean isHadoopSnappy(SourceBuffer in, int available) {
        if (available < LOOK_AHEAD) {
            return false;
        }
        long block = Integer.toUnsignedLong(in.bigEndian32(0));
        long chunk = Integer.toUnsignedLong(in.bigEndian32(4));
        long size = 0;
        int at = 8;
        for (int shift = 0; shift < 28; shift += 7) {
            int next = in.byteAt(at++);
            size |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                break;
            }
        }
        boolean literal = (in.byteAt(at) & 3) == 0;
        return block > 0 && block < MAX_HADOOP_BLOCK && size > 0 && size <= block && literal && fits(chunk, size);
    }

    /** Snappy's own bound for what {@code size} bytes may become; and they become no less than about a twentieth. */
    private static boolean fits(long chunk, long size) {
        return chunk <= 32 + size + size / 6 && chunk >= size / 64 + 2;
    }
}
