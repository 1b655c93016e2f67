package dev.stet.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A random sample of keys, taken by several threads that wait for nothing: a key is in it when its hash is below a limit, which sinks as parts grow full. So it does not matter
 * which thread sees which key.
 */
final class KeySample {
    private final int keysOfAPart;
    /** Of hashes of 63 bits. */
    private final AtomicLong limit = new AtomicLong(Long.MAX_VALUE);

    /** @param keys most that are held, over all parts */
    KeySample(int keys, int parts) {
        this.keysOfAPart = Math.max(1, keys / parts);
    }

    private record Taken(long hash, String key) {}

    /** What one thread takes. Not thread-safe. */
    final class Part {
        private final List<Taken> taken = new ArrayList<>();

        /** Whether a key of that hash is to be given to {@link #take}. */
        boolean wants(long hash) {
            return hash >>> 1 < limit.get();
        }

        void take(long hash, String key) {
            taken.add(new Taken(hash >>> 1, key));
            while (taken.size() > keysOfAPart) {
                long lower = limit.updateAndGet(l -> l / 2);
                taken.removeIf(t -> t.hash() >= lower);
            }
        }
    }

    /** The keys of all parts, in no order, once nobody takes any more. */
    List<String> keys(List<Part> parts) {
        return parts.stream()
                .flatMap(p -> p.taken.stream())
                .filter(t -> t.hash() < limit.get())
                .map(Taken::key)
                .toList();
    }
}
