package dev.stet.fanout;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Hands tasks to a fixed number of threads, each with a worker of its own. No more than {@code threads} tasks wait. The first failure ends all: waiting tasks
 * are dropped, running ones end, and whoever submits or waits hears of it. Submitting and waiting is for one thread.
 */
public final class FanOut<T> implements Closeable {
    /** Works off tasks in one thread. */
    public interface Worker<T> extends AutoCloseable {
        void work(T task) throws IOException;

        @Override
        default void close() {}
    }

    private final int capacity;
    private final List<Thread> threads = new ArrayList<>();
    /** Guards all that follows. */
    private final Object lock = new Object();

    private final Queue<T> waiting = new ArrayDeque<>();
    private Optional<Throwable> failure = Optional.empty();
    private boolean finishing;

    /** Starts the threads. @param workers makes each thread's worker, in that thread */
    public FanOut(String name, int threads, Supplier<? extends Worker<T>> workers) {
        this.capacity = threads;
        for (int i = 0; i < threads; i++) {
            this.threads.add(Thread.ofPlatform().name(name + "-" + i).daemon().start(() -> run(workers)));
        }
    }

    private void run(Supplier<? extends Worker<T>> workers) {
        try (Worker<T> worker = workers.get()) {
            for (Optional<T> task = next(); task.isPresent(); task = next()) {
                worker.work(task.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(interrupted());
        } catch (Throwable e) {
            // Everything is handed on: an Error too must end the run, not just this thread.
            fail(e);
        }
    }

    /** Waits for a task; empty when there will be none. */
    private Optional<T> next() throws InterruptedException {
        synchronized (lock) {
            while (waiting.isEmpty() && !finishing && failure.isEmpty()) {
                lock.wait();
            }
            if (failure.isPresent()) {
                return Optional.empty();
            }
            Optional<T> task = Optional.ofNullable(waiting.poll());
            lock.notifyAll();
            return task;
        }
    }

    private void fail(Throwable e) {
        synchronized (lock) {
            if (failure.isEmpty()) {
                failure = Optional.of(e);
            }
            waiting.clear();
            lock.notifyAll();
        }
    }

    /** Hands a task over; blocks while all threads have work waiting. */
    public void submit(T task) throws IOException {
        synchronized (lock) {
            try {
                while (waiting.size() >= capacity && failure.isEmpty()) {
                    lock.wait();
                }
            } catch (InterruptedException e) {
                throw interrupted();
            }
            throwFailure();
            waiting.add(task);
            lock.notifyAll();
        }
    }

    /** Waits until every task is worked off. Nothing can be submitted afterwards. */
    public void finish() throws IOException {
        synchronized (lock) {
            finishing = true;
            lock.notifyAll();
        }
        try {
            for (Thread t : threads) {
                t.join();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
        synchronized (lock) {
            throwFailure();
        }
    }

    private void throwFailure() throws IOException {
        switch (failure.orElse(null)) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted");
    }

    /** Ends the threads: waiting tasks are dropped, running ones are waited for. */
    @Override
    public void close() {
        fail(new InterruptedIOException("closed"));
        boolean interrupted = false;
        for (Thread t : threads) {
            while (t.isAlive()) {
                try {
                    t.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
