package dev.stet.aws.s3;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much all readers of one source may fetch ahead, in objects and in bytes. Nobody waits for it: what does not fit is read when its turn comes. Thread-safe.
 */
final class ReadBudget {
    /** About as many as there are connections. */
    private static final int OBJECTS = 1_000;

    private static final int HEAP_SHARE = 16;
    private static final int UNIT = 1 << 10;

    static final int FIRST_WINDOW = 16;
    private static final int MAX_WINDOW = 256;

    private final AtomicInteger window = new AtomicInteger(FIRST_WINDOW);
    private final Semaphore objects;
    private final Semaphore units;

    ReadBudget(int objects, long bytes) {
        this.objects = new Semaphore(objects);
        this.units = new Semaphore(Math.toIntExact(bytes / UNIT));
    }

    /** A sixteenth of the heap: of the half that waiting records leave. */
    static ReadBudget ofThisMachine() {
        return new ReadBudget(
                OBJECTS, Math.min(Runtime.getRuntime().maxMemory() / HEAP_SHARE, (long) Integer.MAX_VALUE));
    }

    /** How many objects one reader should have under way. */
    int window() {
        return window.get();
    }

    /** A reader had to wait: more would have helped. */
    void widen() {
        window.accumulateAndGet(MAX_WINDOW, (now, most) -> Math.min(most, now * 2));
    }

    boolean take(long size) {
        if (!objects.tryAcquire()) {
            return false;
        }
        if (!units.tryAcquire(units(size))) {
            objects.release();
            return false;
        }
        return true;
    }

    void giveBack(long size) {
        units.release(units(size));
        objects.release();
    }

    private static int units(long size) {
        return Math.toIntExact((size + UNIT - 1) / UNIT);
    }
}
