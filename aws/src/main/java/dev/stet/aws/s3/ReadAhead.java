package dev.stet.aws.s3;

import dev.stet.store.ObjectIdentity;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectRead;
import dev.stet.store.SourceReads;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Reads objects in the order given and meanwhile fetches the next ones whole, each by a GET of its own that is pinned as every read is. So a request's time is
 * paid once for many small objects, not for each. How many are under way follows need: twice as many whenever the reader had to wait. Large objects are read
 * when their turn comes; their requests cost little against their bytes. Not thread-safe.
 */
final class ReadAhead implements SourceReads {
    /** Larger ones are not fetched ahead. */
    private static final long LARGE = 4 << 20;

    private record Fetch(ObjectInfo object, FutureTask<Fetched> task) {}

    /** Never compared. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Fetched(byte[] bytes, ObjectIdentity identity) {}

    private final S3Source source;
    private final ReadBudget budget;
    private final Deque<ObjectInfo> waiting;
    private final Deque<Fetch> underWay = new ArrayDeque<>();

    ReadAhead(S3Source source, ReadBudget budget, List<ObjectInfo> inOrder) {
        this.source = source;
        this.budget = budget;
        this.waiting = new ArrayDeque<>(inOrder);
    }

    @Override
    public ObjectRead open(ObjectInfo object) throws IOException {
        passTo(object);
        if (!underWay.isEmpty() && underWay.element().object().equals(object)) {
            Fetch fetch = underWay.remove();
            startMore();
            return take(fetch);
        }
        startMore();
        return source.open(object);
    }

    /** Drops what the reader has passed over. An object that is not in the list at all, a newer version for one, passes nothing over. */
    private void passTo(ObjectInfo object) {
        if (underWay.stream().anyMatch(f -> f.object().equals(object))) {
            while (!underWay.element().object().equals(object)) {
                drop(underWay.remove());
            }
        } else if (waiting.contains(object)) {
            underWay.forEach(this::drop);
            underWay.clear();
            for (ObjectInfo o = waiting.remove(); !o.equals(object); ) {
                o = waiting.remove();
            }
        }
    }

    private void startMore() {
        while (!waiting.isEmpty() && underWay.size() < budget.window()) {
            ObjectInfo next = waiting.element();
            if (next.size() > LARGE || !budget.take(next.size())) {
                return;
            }
            waiting.remove();
            FutureTask<Fetched> task = new FutureTask<>(() -> fetch(next));
            underWay.add(new Fetch(next, task));
            var _ = Thread.ofVirtual().name("read-ahead").start(task);
        }
    }

    private Fetched fetch(ObjectInfo object) throws IOException {
        try (ObjectRead read = source.open(object)) {
            byte[] bytes = new byte[Math.toIntExact(object.size())];
            int length = read.body().readNBytes(bytes, 0, bytes.length);
            if (length < bytes.length) {
                throw new EOFException("the body ended after " + length + " of " + bytes.length + " bytes");
            }
            return new Fetched(bytes, read.finish());
        }
    }

    private ObjectRead take(Fetch fetch) throws IOException {
        boolean taken = false;
        try {
            if (!fetch.task().isDone()) {
                budget.widen();
                startMore();
            }
            Fetched fetched = fetch.task().get();
            taken = true;
            return new Read(fetched, () -> budget.giveBack(fetch.object().size()));
        } catch (ExecutionException e) {
            throw failure(Optional.ofNullable(e.getCause()).orElse(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        } finally {
            if (!taken) {
                drop(fetch);
            }
        }
    }

    /** As it would have been thrown to whoever had opened the object now. */
    private static IOException failure(Throwable cause) {
        return switch (cause) {
            case IOException e -> e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> new IOException(cause);
        };
    }

    private void drop(Fetch fetch) {
        boolean ended = fetch.task().cancel(true);
        assert ended || fetch.task().isDone();
        budget.giveBack(fetch.object().size());
    }

    @Override
    public void close() {
        underWay.forEach(this::drop);
        underWay.clear();
        waiting.clear();
    }

    /** An object in memory. */
    private static final class Read implements ObjectRead {
        private final Fetched fetched;
        private final InputStream body;
        private Optional<Runnable> giveBack;

        Read(Fetched fetched, Runnable giveBack) {
            this.fetched = fetched;
            this.body = new ByteArrayInputStream(fetched.bytes());
            this.giveBack = Optional.of(giveBack);
        }

        @Override
        public Optional<String> version() {
            return fetched.identity().version();
        }

        @Override
        public InputStream body() {
            return body;
        }

        @Override
        public ObjectIdentity finish() {
            return fetched.identity();
        }

        @Override
        public void close() {
            giveBack.ifPresent(Runnable::run);
            giveBack = Optional.empty();
        }
    }
}
