package dev.stet.aws.s3;

import dev.stet.config.ConfigException;
import dev.stet.store.SourceStore;
import dev.stet.store.SourceStoreContract;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract of sources on an S3 server. The prefix has no final slash, as users write it. */
abstract class S3SourceContract extends SourceStoreContract {
    private static final int AT_ONCE = 16;

    private final ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore slots = new Semaphore(AT_ONCE);
    private final Deque<Future<?>> puts = new ArrayDeque<>();
    private String last = "";
    private String bucket;
    private S3Source source;

    protected abstract S3Server server();

    @BeforeEach
    void openBucket() throws ConfigException {
        bucket = server().newBucket();
        source = server().clients().source(server().location(bucket, "raw/in"));
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Override
    protected SourceStore source() {
        settle();
        return source;
    }

    /** Puts run side by side, those of one key in turn: the suite fills thousands. */
    @Override
    protected void put(String key, byte[] content) {
        if (key.equals(last)) {
            settle();
        }
        last = key;
        slots.acquireUninterruptibly();
        puts.add(pool.submit(() -> {
            try {
                server().put(bucket, "raw/in/" + key, content);
            } finally {
                slots.release();
            }
        }));
    }

    @Override
    protected void remove(String key) {
        settle();
        server().remove(bucket, "raw/in/" + key);
    }

    private void settle() {
        while (!puts.isEmpty()) {
            try {
                var nothing = puts.pop().get();
                assert nothing == null;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
