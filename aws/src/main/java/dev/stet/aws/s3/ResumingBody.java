package dev.stet.aws.s3;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * A body of known length. When it breaks off, it goes on with another request from the position reached, a limited number of times; a body that ends early
 * counts as broken off, whatever the connection said. Not thread-safe.
 */
final class ResumingBody extends InputStream {
    /** Opens the same bytes from a position on; what it throws ends the reading. */
    @FunctionalInterface
    interface Opener {
        ResponseInputStream<GetObjectResponse> open(long from) throws IOException;
    }

    /** What becomes of a body that breaks off again and again though each new request is answered. */
    @FunctionalInterface
    interface GivingUp {
        IOException after(IOException last);
    }

    private static final int MAX_BREAKS = 6;
    /** So much read between two breaks, and the count begins anew: a long body may break more often than a short one. */
    private static final long GOOD_STRETCH = 1 << 20;
    /** Reading so much to its end is cheaper than a new connection. */
    private static final long WORTH_DRAINING = 1 << 18;

    private final long size;
    private final Opener opener;
    private final GivingUp givingUp;
    private Optional<ResponseInputStream<GetObjectResponse>> stream;
    private long position;
    private long lastBreak;
    private int breaks;

    /** @param position of the first body's first byte in the object */
    ResumingBody(
            long position,
            long size,
            Optional<ResponseInputStream<GetObjectResponse>> first,
            Opener opener,
            GivingUp givingUp) {
        this.position = position;
        this.size = size;
        this.stream = first;
        this.opener = opener;
        this.givingUp = givingUp;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (position < size) {
            if (stream.isEmpty()) {
                stream = Optional.of(opener.open(position));
            }
            try {
                int n = stream.get().read(bytes, offset, (int) Math.min(length, size - position));
                if (n > 0) {
                    position += n;
                    return n;
                }
                throw new EOFException("the body ended after " + position + " of " + size + " bytes");
            } catch (InterruptedIOException e) {
                // A read that timed out is such a one too, and no interrupt.
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                breakOff(e);
            } catch (IOException e) {
                breakOff(e);
            } catch (SdkException e) {
                breakOff(new IOException(e.getMessage(), e));
            }
        }
        return -1;
    }

    private void breakOff(IOException e) throws IOException {
        abandon();
        breaks = position - lastBreak >= GOOD_STRETCH ? 1 : breaks + 1;
        lastBreak = position;
        if (breaks >= MAX_BREAKS) {
            throw givingUp.after(e);
        }
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(50L << breaks));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(interrupt);
        }
    }

    private void abandon() {
        stream.ifPresent(ResponseInputStream::abort);
        stream = Optional.empty();
    }

    @Override
    public void close() {
        if (stream.isEmpty()) {
            return;
        }
        if (size - position > WORTH_DRAINING) {
            abandon();
            return;
        }
        try {
            stream.get().close();
        } catch (IOException | SdkException e) {
            abandon();
        }
        stream = Optional.empty();
        position = size;
    }
}
