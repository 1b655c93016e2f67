package dev.stet.fanout;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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

    private final BlockingQueue<T> queue;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Optional<Throwable>> failure = new AtomicReference<>(Optional.empty());
    private volatile boolean finishing;

    /** @param workers makes each thread's worker, in that thread */
    public FanOut(String name, int threads, Supplier<? extends Worker<T>> workers) {
        this.queue = new ArrayBlockingQueue<>(threads);
        for (int i = 0; i < threads; i++) {
            this.threads.add(Thread.ofPlatform().name(name + "-" + i).daemon().start(() -> run(workers)));
        }
    }

    private void run(Supplier<? extends Worker<T>> workers) {
        try (Worker<T> worker = workers.get()) {
            while (failure.get().isEmpty()) {
                Optional<T> task = next();
                if (task.isPresent()) {
                    worker.work(task.get());
                } else if (finishing && queue.isEmpty()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // Everything is handed on: an Error too must end the run, not just this thread.
            failure.compareAndSet(Optional.empty(), Optional.of(e));
        }
    }

    private Optional<T> next() throws InterruptedException {
        return Optional.ofNullable(queue.poll(20, TimeUnit.MILLISECONDS));
    }

    /** Hands a task over; blocks while all threads have work waiting. */
    public void submit(T task) throws IOException {
        try {
            while (!queue.offer(task, 50, TimeUnit.MILLISECONDS)) {
                throwFailure();
            }
            throwFailure();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Waits until every task is worked off. Nothing can be submitted afterwards. */
    public void finish() throws IOException {
        finishing = true;
        try {
            for (Thread t : threads) {
                t.join();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
        throwFailure();
    }

    private void throwFailure() throws IOException {
        switch (failure.get().orElse(null)) {
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
        queue.clear();
        finishing = true;
        failure.compareAndSet(Optional.empty(), Optional.of(new InterruptedIOException("closed")));
        for (Thread t : threads) {
            boolean interrupted = false;
            while (t.isAlive()) {
                try {
                    t.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
