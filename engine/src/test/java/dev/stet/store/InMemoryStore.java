package dev.stet.store;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/** Both store ports in memory, after S3: keys are plain strings, listings know ETags, every object has a version. Thread-safe. */
public final class InMemoryStore implements SourceStore, ObjectStore {
    private static final class Content {
        private final byte[] bytes;
        private final String etag;
        private final String version;
        private final Instant modified = Instant.now().truncatedTo(ChronoUnit.SECONDS);

        Content(byte[] bytes, String etag, String version) {
            this.bytes = bytes;
            this.etag = etag;
            this.version = version;
        }
    }

    private final String name;
    private final NavigableMap<String, Content> objects = new ConcurrentSkipListMap<>(KeyOrder.UTF8);
    private final Map<String, UnreadableObjectException.Why> denied = new ConcurrentSkipListMap<>();
    private final Map<String, String> unlistable = new ConcurrentSkipListMap<>();
    private final Map<String, Set<Object>> uploads = new TreeMap<>();
    private final AtomicLong versions = new AtomicLong();

    public InMemoryStore() {
        this("memory://");
    }

    public InMemoryStore(String name) {
        this.name = name;
    }

    // What tests do to it.

    /** Creates or replaces an object, as whoever fills the source does. */
    public void put(String key, byte[] content) {
        objects.put(key, content(content));
    }

    /** Removes an object behind the back of its readers. */
    public void remove(String key) {
        objects.remove(key);
    }

    /** The key is listed, and reading it fails that way, until {@link #allow}. */
    public void deny(String key, UnreadableObjectException.Why why) {
        denied.put(key, why);
    }

    public void allow(String key) {
        denied.remove(key);
    }

    /** The key is listed as something that is no object. */
    public void putUnlistable(String key, String why) {
        unlistable.put(key, why);
    }

    public List<String> keys() {
        return List.copyOf(objects.keySet());
    }

    public byte[] bytes(String key) {
        Content content = objects.get(key);
        if (content == null) {
            throw new AssertionError("no object " + key + " among " + objects.keySet());
        }
        return content.bytes.clone();
    }

    /** Unfinished writes. */
    public int uploads() {
        synchronized (uploads) {
            return uploads.values().stream().mapToInt(Set::size).sum();
        }
    }

    /** Keys of unfinished writes. */
    public List<String> uploadKeys() {
        synchronized (uploads) {
            return uploads.entrySet().stream()
                    .filter(e -> !e.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    // Both ports.

    @Override
    public ObjectListing list(KeyRange range) {
        return new Listing(range);
    }

    @Override
    public String describe() {
        return name;
    }

    // The source.

    @Override
    public Optional<ObjectInfo> head(String key) {
        return Optional.ofNullable(objects.get(key)).map(c -> info(key, c));
    }

    @Override
    public ObjectRead open(ObjectInfo object) throws IOException {
        Content content = pinned(object);
        InputStream body = new ByteArrayInputStream(content.bytes);
        return new ObjectRead() {
            @Override
            public InputStream body() {
                return body;
            }

            @Override
            public ObjectIdentity finish() throws IOException {
                if (body.available() > 0) {
                    throw new IllegalStateException("finished before the end: " + object.key());
                }
                return identity(object.key(), content);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public ObjectIdentity identify(ObjectInfo object) throws IOException {
        return identity(object.key(), pinned(object));
    }

    private Content pinned(ObjectInfo object) throws IOException {
        UnreadableObjectException.Why why = denied.get(object.key());
        if (why != null) {
            throw new UnreadableObjectException(why, why + ": " + object.key());
        }
        Content content = objects.get(object.key());
        if (content == null) {
            throw new UnreadableObjectException(
                    UnreadableObjectException.Why.DELETED, "deleted since it was listed: " + object.key());
        }
        if (!content.etag.equals(object.revision())) {
            throw new ObjectChangedException(object.key());
        }
        return content;
    }

    private static ObjectInfo info(String key, Content content) {
        return new ObjectInfo(key, content.bytes.length, Optional.of(content.etag), content.etag, content.modified);
    }

    private static ObjectIdentity identity(String key, Content content) {
        return new ObjectIdentity(key, content.etag, content.bytes.length, Optional.of(content.version));
    }

    private Content content(byte[] bytes) {
        HashValue128 hash = Hashing.xxh3_128().hashBytesTo128Bits(bytes);
        return new Content(
                bytes.clone(),
                "%016x%016x".formatted(hash.getMostSignificantBits(), hash.getLeastSignificantBits()),
                "v" + versions.incrementAndGet());
    }

    // Staging and sink.

    @Override
    public ObjectWriter create(String key) {
        Writer writer = new Writer(key);
        synchronized (uploads) {
            uploads.computeIfAbsent(key, k -> new HashSet<>()).add(writer);
        }
        return writer;
    }

    @Override
    public InputStream read(String key, long offset, long length) throws IOException {
        Content content = objects.get(key);
        if (content == null) {
            throw new StoreException("no such object: " + describe(key));
        }
        if (offset + length > content.bytes.length) {
            throw new EOFException("the object ends too early: " + describe(key));
        }
        return new ByteArrayInputStream(content.bytes, (int) offset, (int) length);
    }

    @Override
    public Optional<StoredObject> readBack(String key) {
        return Optional.ofNullable(objects.get(key)).map(c -> {
            CRC32C crc = new CRC32C();
            crc.update(c.bytes);
            return new StoredObject(c.bytes.length, (int) crc.getValue());
        });
    }

    @Override
    public void delete(String key) {
        objects.remove(key);
    }

    @Override
    public void abortUploads(String key) {
        synchronized (uploads) {
            uploads.remove(key);
        }
    }

    @Override
    public void abortUploadsNamed(String nameBeginning) {
        ObjectStore.requireNameBeginning(nameBeginning);
        synchronized (uploads) {
            uploads.keySet().removeIf(key -> ObjectStore.nameOf(key).startsWith(nameBeginning));
        }
    }

    @Override
    public void flush() {}

    @Override
    public String describe(String key) {
        return name + key;
    }

    /** Ends an unfinished write; false if it was aborted before. The caller holds the lock of {@link #uploads}. */
    private boolean end(Writer writer) {
        Set<Object> open = uploads.get(writer.key);
        return open != null && open.remove(writer);
    }

    private final class Writer implements ObjectWriter {
        private final String key;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private boolean ended;

        Writer(String key) {
            this.key = key;
        }

        @Override
        public void write(byte[] bytes, int from, int to) {
            requireOpen();
            written.write(bytes, from, to - from);
        }

        @Override
        public long length() {
            return written.size();
        }

        @Override
        public Outcome complete(int crc32c) throws IOException {
            requireOpen();
            byte[] bytes = written.toByteArray();
            CRC32C crc = new CRC32C();
            crc.update(bytes);
            if ((int) crc.getValue() != crc32c) {
                throw new StoreException("wrong checksum: " + describe(key));
            }
            ended = true;
            synchronized (uploads) {
                if (!end(this)) {
                    throw new StoreException("the unfinished write was aborted: " + describe(key));
                }
                return objects.putIfAbsent(key, content(bytes)) == null ? Outcome.CREATED : Outcome.EXISTS;
            }
        }

        @Override
        public void abort() {
            ended = true;
            synchronized (uploads) {
                end(this);
            }
        }

        @Override
        public void close() {
            ended = true;
        }

        private void requireOpen() {
            if (ended) {
                throw new IllegalStateException("ended before: " + key);
            }
        }
    }

    /** Asks for the next key each time, as a listing does from page to page. */
    private final class Listing implements ObjectListing {
        private final KeyRange range;
        private String at;

        Listing(KeyRange range) {
            this.range = range;
            this.at = range.after();
        }

        @Override
        public Optional<ListEntry> next() {
            Map.Entry<String, Content> object = objects.higherEntry(at);
            Optional<String> odd = unlistable.keySet().stream()
                    .filter(k -> KeyOrder.compare(k, at) > 0)
                    .min(KeyOrder.UTF8);
            ListEntry entry;
            if (odd.isPresent() && (object == null || KeyOrder.compare(odd.get(), object.getKey()) < 0)) {
                entry = new Unlistable(odd.get(), unlistable.getOrDefault(odd.get(), ""));
            } else if (object != null) {
                entry = info(object.getKey(), object.getValue());
            } else {
                return Optional.empty();
            }
            at = entry.key();
            return range.contains(at) ? Optional.of(entry) : Optional.empty();
        }

        @Override
        public void close() {}
    }
}
