package dev.stet.store;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/** Direct buffers for reuse: making one costs more than writing a small file. Thread-safe. */
final class Buffers {
    private static final int SIZE = 1 << 17;
    private static final int KEPT = 64;

    private final ArrayBlockingQueue<ByteBuffer> idle = new ArrayBlockingQueue<>(KEPT);

    /** An empty buffer, the caller's until {@link #give}. */
    ByteBuffer take() {
        ByteBuffer buffer = idle.poll();
        return buffer != null ? buffer.clear() : ByteBuffer.allocateDirect(SIZE);
    }

    void give(ByteBuffer buffer) {
        // Beyond what is kept, the collector takes it.
        boolean kept = idle.offer(buffer);
        assert kept || idle.remainingCapacity() == 0;
    }
}
