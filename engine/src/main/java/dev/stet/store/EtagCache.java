package dev.stet.store;

import java.io.Closeable;
import java.util.List;
import java.util.Optional;

/**
 * Remembers the content hash of files by what a look at them tells, so that a file is not read again to learn that nothing changed. Only a cache: a wrong
 * miss costs one read, so failures of the cache are misses and never reach the caller. Thread-safe.
 */
public interface EtagCache extends Closeable {
    /** Remembers nothing. */
    EtagCache NONE = new EtagCache() {
        @Override
        public List<Optional<String>> lookup(List<ObjectInfo> ordered) {
            return ordered.stream().map(o -> Optional.<String>empty()).toList();
        }

        @Override
        public void remember(String key, String revision, String etag) {}

        @Override
        public void close() {}
    };

    /** The ETag of each object, where it is known for exactly that key and revision. The objects must be in {@link KeyOrder}; about a thousand at a time. */
    List<Optional<String>> lookup(List<ObjectInfo> ordered);

    /** The ETag of one object. */
    default Optional<String> lookup(ObjectInfo object) {
        return lookup(List.of(object)).getFirst();
    }

    /** Replaces what was known of the key. May be written later, or lost. */
    void remember(String key, String revision, String etag);

    @Override
    void close();
}
