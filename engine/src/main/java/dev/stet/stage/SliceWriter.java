package dev.stet.stage;

import dev.stet.audit.DigestBuilder;
import dev.stet.codec.SliceCodec;
import dev.stet.codec.SliceEncoder;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Writes one slice after another: small records are gathered first, so that checksum and codec see long stretches. Digests are computed here, from the
 * bytes on their way out, not taken over from where they were read. Not thread-safe.
 */
final class SliceWriter implements Closeable {
    private static final byte[] LINE_FEED = {'\n'};
    private static final int GATHER = 64 << 10;

    private final BundleOutput out;
    private final SliceCodec codec;
    private final SliceEncoder encoder;
    private final DigestBuilder digest = new DigestBuilder();
    private final CRC32C crc = new CRC32C();
    private final byte[] gather = new byte[GATHER];
    private int gathered;
    private long offset;
    private long landed;

    SliceWriter(BundleOutput out, SliceCodec codec) {
        this.out = out;
        this.codec = codec;
        this.encoder = SliceEncoder.of(codec);
    }

    void begin() throws IOException {
        offset = out.position();
        landed = 0;
        gathered = 0;
        digest.reset();
        crc.reset();
        out.startStretch();
        encoder.begin(out);
    }

    /** The next bytes of the record. */
    void piece(byte[] buffer, int from, int to) throws IOException {
        digest.addPiece(buffer, from, to);
        put(buffer, from, to);
    }

    /** A whole record at once. */
    void whole(byte[] buffer, int from, int to) throws IOException {
        digest.add(buffer, from, to);
        put(buffer, from, to);
    }

    /** Ends a record that came in pieces. */
    void endPieces() {
        digest.endPieces();
    }

    /** Ends the line of a record. */
    void lineFeed() throws IOException {
        put(LINE_FEED, 0, 1);
    }

    private void put(byte[] buffer, int from, int to) throws IOException {
        landed += to - from;
        if (to - from > GATHER - gathered) {
            drain();
        }
        if (to - from > GATHER) {
            crc.update(buffer, from, to - from);
            encoder.write(buffer, from, to);
        } else {
            System.arraycopy(buffer, from, gather, gathered, to - from);
            gathered += to - from;
        }
    }

    private void drain() throws IOException {
        crc.update(gather, 0, gathered);
        encoder.write(gather, 0, gathered);
        gathered = 0;
    }

    Slice end(SliceKind kind, long timePartition, String path, Optional<Slice.Origin> origin) throws IOException {
        drain();
        encoder.end();
        return new Slice(
                kind,
                timePartition,
                path,
                offset,
                out.position() - offset,
                codec,
                landed,
                digest.digest(),
                (int) crc.getValue(),
                out.stretchCrc32c(),
                origin);
    }

    @Override
    public void close() {
        encoder.close();
    }
}
