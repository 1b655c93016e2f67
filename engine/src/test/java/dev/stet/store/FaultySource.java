package dev.stet.store;

import dev.stet.faults.FaultPlan;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A source whose calls meet the faults of a plan; each read from a body is a call. */
public final class FaultySource implements SourceStore {
    private final SourceStore real;
    private final FaultPlan plan;

    public FaultySource(SourceStore real, FaultPlan plan) {
        this.real = real;
        this.plan = plan;
    }

    @Override
    public ObjectListing list(KeyRange range) throws IOException {
        return plan.read("source list", () -> real.list(range));
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return plan.read("source head " + key, () -> real.head(key));
    }

    @Override
    public ObjectRead open(ObjectInfo object) throws IOException {
        ObjectRead read = plan.read("source open " + object.key(), () -> real.open(object));
        return new FaultyRead(object.key(), read);
    }

    @Override
    public ObjectIdentity identify(ObjectInfo object) throws IOException {
        return plan.read("source identify " + object.key(), () -> real.identify(object));
    }

    @Override
    public String describe() {
        return real.describe();
    }

    private final class FaultyRead implements ObjectRead {
        private final String key;
        private final ObjectRead read;
        private final InputStream body;

        FaultyRead(String key, ObjectRead read) {
            this.key = key;
            this.read = read;
            this.body = new FilterInputStream(read.body()) {
                @Override
                public int read() throws IOException {
                    return plan.read("source body " + key, () -> in.read());
                }

                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    return plan.read("source body " + key, () -> in.read(bytes, offset, length));
                }
            };
        }

        @Override
        public InputStream body() {
            return body;
        }

        @Override
        public ObjectIdentity finish() throws IOException {
            return plan.read("source finish " + key, read::finish);
        }

        @Override
        public void close() throws IOException {
            read.close();
        }
    }
}
