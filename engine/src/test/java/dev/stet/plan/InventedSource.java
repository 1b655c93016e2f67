package dev.stet.plan;

import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectIdentity;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectRead;
import dev.stet.store.SourceStore;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** An archive of any size that invents its listings: the key of each number, in key order. Counts requests as S3 would be asked: one a thousand keys. */
final class InventedSource implements SourceStore {
    private final long objects;
    private final long bytes;
    private final LongFunction<String> keys;
    final AtomicLong lists = new AtomicLong();

    /** @param keys ascending in {@link KeyOrder} */
    InventedSource(long objects, long bytes, LongFunction<String> keys) {
        this.objects = objects;
        this.bytes = bytes;
        this.keys = keys;
    }

    /** How many keys are not greater. */
    long countUpTo(String key) {
        long low = 0;
        long high = objects;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (KeyOrder.compare(keys.apply(middle), key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    long countIn(KeyRange range) {
        return range.upTo().map(this::countUpTo).orElse(objects) - countUpTo(range.after());
    }

    @Override
    public ObjectListing list(KeyRange range) {
        return new ObjectListing() {
            private final long first = countUpTo(range.after());
            private long at = first;

            @Override
            public Optional<ListEntry> next() {
                if ((at - first) % 1_000 == 0) {
                    lists.incrementAndGet();
                }
                if (at == objects) {
                    return Optional.empty();
                }
                String key = keys.apply(at++);
                return range.contains(key)
                        ? Optional.of(new ObjectInfo(key, bytes, Optional.of("e"), "e", Instant.EPOCH))
                        : Optional.empty();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Optional<ObjectInfo> head(String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ObjectRead open(ObjectInfo object) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ObjectIdentity identify(ObjectInfo object) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String describe() {
        return "invented";
    }
}
