package dev.stet.codec;

import java.io.IOException;

/** Gzip members. Zeros after the last one are padding (rule book D17); so they are between two. */
final class GzipLayer extends Layer {
    private final GzipMember member = new GzipMember();
    private boolean inMember;
    private long zeros;

    GzipLayer(SourceBuffer source) {
        super(source);
    }

    @Override
    int readContent(SourceBuffer in, byte[] into, int offset, int length) throws IOException {
        while (inMember || nextMember(in)) {
            inMember = true;
            int count = member.read(in, into, offset, length);
            if (count > 0) {
                return count;
            }
            inMember = false;
        }
        return -1;
    }

    private boolean nextMember(SourceBuffer in) throws IOException {
        zeros = 0;
        while (in.peek(1) > 0 && in.byteAt(0) == 0) {
            in.take(1);
            zeros++;
        }
        int available = in.peek(2);
        if (available == 0) {
            zeros = 0;
            return false;
        }
        boolean cutMagic = available == 1 && in.byteAt(0) == GzipMember.MAGIC_1;
        boolean magic = available > 1 && in.byteAt(0) == GzipMember.MAGIC_1 && in.byteAt(1) == GzipMember.MAGIC_2;
        if (cutMagic || magic) {
            member.begin(in);
            return true;
        }
        return false;
    }

    @Override
    long zerosBeforeTrailing() {
        return zeros;
    }

    @Override
    public void close() {
        member.close();
    }
}
