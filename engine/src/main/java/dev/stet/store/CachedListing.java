package dev.stet.store;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Adds known ETags to a listing of files, looking a thousand up at once. A read finds out when a file has changed since it was listed. */
final class CachedListing implements ObjectListing {
    private static final int BATCH = 1_000;

    private final ObjectListing files;
    private final EtagCache cache;
    private final Deque<ListEntry> ready = new ArrayDeque<>();

    CachedListing(ObjectListing files, EtagCache cache) {
        this.files = files;
        this.cache = cache;
    }

    @Override
    public Optional<ListEntry> next() throws IOException {
        if (ready.isEmpty()) {
            fill();
        }
        return Optional.ofNullable(ready.poll());
    }

    private void fill() throws IOException {
        List<ListEntry> entries = new ArrayList<>(BATCH);
        List<ObjectInfo> objects = new ArrayList<>(BATCH);
        while (entries.size() < BATCH) {
            Optional<ListEntry> entry = files.next();
            if (entry.isEmpty()) {
                break;
            }
            entries.add(entry.get());
            if (entry.get() instanceof ObjectInfo object) {
                objects.add(object);
            }
        }
        List<Optional<String>> etags = objects.isEmpty() ? List.of() : cache.lookup(objects);
        int at = 0;
        for (ListEntry entry : entries) {
            ready.add(entry instanceof ObjectInfo object ? withEtag(object, etags.get(at++)) : entry);
        }
    }

    static ObjectInfo withEtag(ObjectInfo object, Optional<String> etag) {
        return etag.map(object::withEtag).orElse(object);
    }

    @Override
    public void close() {
        files.close();
    }
}
