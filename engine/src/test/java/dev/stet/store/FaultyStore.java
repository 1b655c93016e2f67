package dev.stet.store;

import dev.stet.faults.FaultPlan;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * A store whose calls meet the faults of a plan. Closing is no call: it frees what this process holds, which its death would free too. Reading bytes from
 * a stream is none either.
 */
public final class FaultyStore implements ObjectStore {
    private final ObjectStore real;
    private final FaultPlan plan;

    public FaultyStore(ObjectStore real, FaultPlan plan) {
        this.real = real;
        this.plan = plan;
    }

    @Override
    public ObjectListing list(KeyRange range) throws IOException {
        return plan.read("list", () -> real.list(range));
    }

    @Override
    public ObjectWriter create(String key) throws IOException {
        Begun begun = new Begun();
        try {
            return new FaultyWriter(plan.write("create " + key, () -> {
                ObjectWriter writer = real.create(key);
                begun.add(writer);
                return writer;
            }));
        } catch (UnknownOutcomeException e) {
            begun.orphan();
            throw e;
        }
    }

    @Override
    public InputStream read(String key, long offset, long length) throws IOException {
        return plan.read("read " + key, () -> real.read(key, offset, length));
    }

    @Override
    public Optional<StoredObject> readBack(String key) throws IOException {
        return plan.read("readBack " + key, () -> real.readBack(key));
    }

    @Override
    public void delete(String key) throws IOException {
        write("delete " + key, () -> real.delete(key));
    }

    @Override
    public void abortUploads(String key) throws IOException {
        write("abortUploads " + key, () -> real.abortUploads(key));
    }

    @Override
    public void abortUploadsNamed(String nameBeginning) throws IOException {
        write("abortUploadsNamed " + nameBeginning, () -> real.abortUploadsNamed(nameBeginning));
    }

    @Override
    public void flush() throws IOException {
        write("flush", real::flush);
    }

    @Override
    public String describe() {
        return real.describe();
    }

    @Override
    public String describe(String key) {
        return real.describe(key);
    }

    private interface Change {
        void run() throws IOException;
    }

    private void write(String name, Change change) throws IOException {
        String done = plan.write(name, () -> {
            change.run();
            return "done";
        });
        assert done.equals("done");
    }

    /** A writer whose beginning nobody heard of: it stays in the store as an unfinished write, also when it is begun late. */
    private static final class Begun {
        private Optional<ObjectWriter> writer = Optional.empty();
        private boolean orphan;

        synchronized void add(ObjectWriter begun) throws IOException {
            writer = Optional.of(begun);
            if (orphan) {
                begun.close();
            }
        }

        synchronized void orphan() throws IOException {
            orphan = true;
            if (writer.isPresent()) {
                writer.get().close();
            }
        }
    }

    private final class FaultyWriter implements ObjectWriter {
        private final ObjectWriter writer;
        /** A request is under way and needs what {@link #close} would free. */
        private boolean underWay;

        private long length;

        FaultyWriter(ObjectWriter writer) {
            this.writer = writer;
        }

        @Override
        public void write(byte[] bytes, int from, int to) throws IOException {
            // The sender may reuse its buffer before a delayed call arrives.
            byte[] copy = Arrays.copyOfRange(bytes, from, to);
            change("write", () -> writer.write(copy, 0, copy.length));
            length += to - from;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public Outcome complete(int crc32c) throws IOException {
            underWay = true;
            Outcome outcome = plan.write("complete", () -> {
                Outcome o = writer.complete(crc32c);
                writer.close();
                return o;
            });
            underWay = false;
            return outcome;
        }

        @Override
        public void abort() throws IOException {
            change("abort", writer::abort);
        }

        private void change(String name, Change change) throws IOException {
            underWay = true;
            FaultyStore.this.write(name, change);
            underWay = false;
        }

        @Override
        public void close() throws IOException {
            if (!underWay) {
                writer.close();
            }
        }
    }
}
