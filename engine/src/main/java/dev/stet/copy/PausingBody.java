package dev.stet.copy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** A large object's stored bytes: counts them, and ends the read when so much came, or so long went by, after the run was to stop that a part should long have ended. */
final class PausingBody extends FilterInputStream {
    /** Longer than any record that is not rare. */
    private static final long GRACE = 16L << 20;
    /** Little that is stored can be much content. A good part less than a worker keeps for its end. */
    private static final long GRACE_MILLIS = 10_000;

    private final CopyMeter meter;
    private final BooleanSupplier stop;
    private final Clock clock;
    private long afterStop;
    private OptionalLong stoppedAt = OptionalLong.empty();

    PausingBody(InputStream body, CopyMeter meter, BooleanSupplier stop, Clock clock) {
        super(body);
        this.meter = meter;
        this.stop = stop;
        this.clock = clock;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
        boolean stopped = stop.getAsBoolean();
        if (stopped && isEnough()) {
            throw new StoppedException();
        }
        int n = super.read(b, off, len);
        if (n > 0) {
            meter.read(n);
            afterStop += stopped ? n : 0;
        }
        return n;
    }

    private boolean isEnough() {
        if (stoppedAt.isEmpty()) {
            stoppedAt = OptionalLong.of(clock.millis());
        }
        return afterStop > GRACE || clock.millis() - stoppedAt.getAsLong() > GRACE_MILLIS;
    }

    /** The body belongs to whoever opened it. */
    @Override
    public void close() {}

    @Override
    public long skip(long n) throws IOException {
        return super.skip(0);
    }
}
