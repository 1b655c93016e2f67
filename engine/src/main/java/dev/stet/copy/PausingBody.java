package dev.stet.copy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/** A large object's stored bytes: counts them, and ends the read when so much came after the run was to stop that a part should long have ended. */
final class PausingBody extends FilterInputStream {
    /** Longer than any record that is not rare. */
    private static final long GRACE = 16L << 20;

    private final CopyMeter meter;
    private final BooleanSupplier stop;
    private long afterStop;

    PausingBody(InputStream body, CopyMeter meter, BooleanSupplier stop) {
        super(body);
        this.meter = meter;
        this.stop = stop;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
        if (stop.getAsBoolean() && afterStop > GRACE) {
            throw new StoppedException();
        }
        int n = super.read(b, off, len);
        if (n > 0) {
            meter.read(n);
            afterStop += stop.getAsBoolean() ? n : 0;
        }
        return n;
    }

    /** The body belongs to whoever opened it. */
    @Override
    public void close() {}

    @Override
    public long skip(long n) throws IOException {
        return super.skip(0);
    }
}
