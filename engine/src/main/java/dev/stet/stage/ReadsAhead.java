package dev.stet.stage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * Reads that are begun before they are wanted, since thousands of small ones one after another would take an hour over a network. Whoever begins one holds its result until
 * it is taken. Thread-safe.
 */
public final class ReadsAhead implements Closeable {
    /** Begins nothing ahead: each read is made when its result is asked for. */
    public static final ReadsAhead NONE = new ReadsAhead(Optional.empty(), 1);

    private final Optional<ExecutorService> threads;
    private final Semaphore permits;

    private ReadsAhead(Optional<ExecutorService> threads, int atOnce) {
        this.threads = threads;
        this.permits = new Semaphore(atOnce);
    }

    /** So many in flight. @param atOnce 1: none ahead */
    public static ReadsAhead of(int atOnce) {
        return atOnce <= 1 ? NONE : new ReadsAhead(Optional.of(Executors.newVirtualThreadPerTaskExecutor()), atOnce);
    }

    /** Something to read. */
    public interface Read<T> {
        T run() throws IOException;
    }

    /** What was begun. To be asked once. */
    public interface Begun<T> {
        T get() throws IOException;
    }

    boolean isNone() {
        return threads.isEmpty();
    }

    /** How many results of a reader are held at once: the one in use, and the one begun. */
    public int held() {
        return isNone() ? 1 : 2;
    }

    public <T> Begun<T> begin(Read<T> read) {
        if (threads.isEmpty()) {
            return read::run;
        }
        Future<T> begun = threads.get().submit(() -> {
            permits.acquire();
            try {
                return read.run();
            } finally {
                permits.release();
            }
        });
        return () -> result(begun);
    }

    private static <T> T result(Future<T> begun) throws IOException {
        try {
            return begun.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading staging");
        } catch (ExecutionException e) {
            throw failure(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private static IOException failure(Throwable cause) {
        return switch (cause) {
            case IOException io -> io;
            case RuntimeException r -> throw r;
            case Error error -> throw error;
            default -> new IOException(cause);
        };
    }

    /** Reads whose results nobody took are interrupted. */
    @Override
    public void close() {
        threads.ifPresent(ExecutorService::shutdownNow);
    }
}
