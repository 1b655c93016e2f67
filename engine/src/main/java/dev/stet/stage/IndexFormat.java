package dev.stet.stage;

import dev.stet.audit.Crc32c;
import dev.stet.audit.Digest;
import dev.stet.codec.SliceCodec;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The binary forms inside a bundle. Layout of a bundle: for each run its slices' bytes, then its index; at the end the footer, which names the runs that
 * count, and a trailer of 16 bytes: footer length (4), CRC32C of the footer (4), magic (8). All numbers big endian.
 */
final class IndexFormat {
    static final int TRAILER_BYTES = 16;
    private static final long MAGIC = 0x53544554_42444C31L; // "STETBDL1"
    private static final int RUN_BYTES = 4 + 8 + 8 + 4 + 4 + 4;

    private IndexFormat() {}

    static void write(DataOutputStream out, Slice s) throws IOException {
        out.writeByte(s.kind().ordinal());
        out.writeByte(s.codec().ordinal());
        out.writeLong(s.timePartition());
        out.writeUTF(s.path());
        out.writeLong(s.offset());
        out.writeLong(s.stagedLength());
        out.writeLong(s.landedLength());
        out.writeLong(s.digest().count());
        out.writeLong(s.digest().bytes());
        out.writeLong(s.digest().sumHigh());
        out.writeLong(s.digest().sumLow());
        out.writeInt(s.crc32c());
        out.writeInt(s.stagedCrc32c());
        out.writeBoolean(s.origin().isPresent());
        if (s.origin().isPresent()) {
            Slice.Origin o = s.origin().get();
            out.writeUTF(o.reason());
            out.writeUTF(o.source().key());
            out.writeUTF(o.source().version().orElse(""));
            out.writeLong(o.offset());
        }
    }

    static Slice read(DataInputStream in) throws IOException {
        SliceKind kind = SliceKind.values()[in.readUnsignedByte()];
        SliceCodec codec = SliceCodec.values()[in.readUnsignedByte()];
        long time = in.readLong();
        String path = in.readUTF();
        long offset = in.readLong();
        long staged = in.readLong();
        long landed = in.readLong();
        Digest digest = new Digest(in.readLong(), in.readLong(), in.readLong(), in.readLong());
        int crc = in.readInt();
        int stagedCrc = in.readInt();
        Optional<Slice.Origin> origin = Optional.empty();
        if (in.readBoolean()) {
            String reason = in.readUTF();
            String key = in.readUTF();
            String version = in.readUTF();
            SourceRef source = new SourceRef(key, version.isEmpty() ? Optional.empty() : Optional.of(version));
            origin = Optional.of(new Slice.Origin(reason, source, in.readLong()));
        }
        return new Slice(kind, time, path, offset, staged, codec, landed, digest, crc, stagedCrc, origin);
    }

    static byte[] footer(List<RunInfo> runs) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(runs.size() * RUN_BYTES + 32);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(runs.size());
        for (RunInfo r : runs) {
            out.writeInt(r.number());
            out.writeLong(r.offset());
            out.writeLong(r.dataLength());
            out.writeInt(r.indexLength());
            out.writeInt(r.indexCrc32c());
            out.writeInt(r.slices());
        }
        int length = bytes.size();
        int crc = Crc32c.of(bytes.toByteArray(), 0, length);
        out.writeInt(length);
        out.writeInt(crc);
        out.writeLong(MAGIC);
        return bytes.toByteArray();
    }

    /** Length of the footer, from the trailer. */
    static int footerLength(byte[] trailer, String bundle) throws IOException {
        DataInputStream in = in(trailer, 0, TRAILER_BYTES);
        int length = in.readInt();
        in.readInt();
        if (in.readLong() != MAGIC || length < 4) {
            throw damaged(bundle, "no trailer");
        }
        return length;
    }

    static List<RunInfo> runs(byte[] footer, byte[] trailer, String bundle) throws IOException {
        DataInputStream check = in(trailer, 4, 4);
        if (check.readInt() != Crc32c.of(footer, 0, footer.length)) {
            throw damaged(bundle, "its footer fails its checksum");
        }
        DataInputStream in = in(footer, 0, footer.length);
        int n = in.readInt();
        List<RunInfo> runs = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            runs.add(new RunInfo(in.readInt(), in.readLong(), in.readLong(), in.readInt(), in.readInt(), in.readInt()));
        }
        return runs;
    }

    private static DataInputStream in(byte[] bytes, int from, int length) {
        return new DataInputStream(new java.io.ByteArrayInputStream(bytes, from, length));
    }

    static IOException damaged(String bundle, String what) {
        return new IOException("the staged bundle " + bundle + " is damaged: " + what);
    }
}
