package dev.stet.copy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** A source object's stored bytes: counts them, and ends the read when the run is to stop. */
final class MeteredBody extends FilterInputStream {
    private final LongConsumer meter;
    private final BooleanSupplier stop;

    /** @param meter takes how many bytes each read gave @param stop asked before each read */
    MeteredBody(InputStream body, LongConsumer meter, BooleanSupplier stop) {
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
        if (stop.getAsBoolean()) {
            throw new StoppedException();
        }
        int n = super.read(b, off, len);
        if (n > 0) {
            meter.accept(n);
        }
        return n;
    }

    /** The body belongs to whoever opened it: what is left of it may still have to be read. */
    @Override
    public void close() {}

    @Override
    public long skip(long n) throws IOException {
        return super.skip(0);
    }
}
