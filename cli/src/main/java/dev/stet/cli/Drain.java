package dev.stet.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * On SIGTERM or SIGINT: asks the run to stop, and holds the JVM until it has ended and told so, at most {@value #PATIENCE_SECONDS} s. What is not
 * committed by then is done again by the next run. The JVM's exit code is then 143 or 130.
 */
final class Drain implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;

    Drain(Runnable stop) {
        this.hook = new Thread(() -> drain(stop), "stet-drain");
    }

    void arm() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is going down: the hook is what waits for us.
        }
    }

    private void drain(Runnable stop) {
        try {
            stop.run();
            boolean done = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!done) {
                return; // a crash at any point is safe
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
