package dev.stet.store;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A directory as a source. Keys are paths relative to it. Links to files are followed; whatever else is neither a file nor a plain directory is listed as
 * {@link Unlistable}. The ETag of a file is the XXH3-128 of its content in lower-case hex, computed while it is read. Thread-safe.
 */
public final class FileSource implements SourceStore {
    /** A change within the same tick of the file system's clock leaves the times as they are; two seconds is the coarsest tick in use (FAT). */
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Path root;
    private final EtagCache cache;
    private final DirectoryTree tree;
    private final Clock clock;
    private final boolean settledOnly;

    /**
     * @param cache is not closed by this object
     * @param spillFolder for temporary files while a directory of more than a million names is sorted
     */
    public FileSource(Path root, EtagCache cache, Path spillFolder) {
        this(root, cache, spillFolder, DirectoryTree.NAMES_HELD, Clock.systemUTC(), false);
    }

    /** A source that is watched: files changed within the last two seconds are left out of listings, since they may still be being written. */
    public static FileSource watched(Path root, EtagCache cache, Path spillFolder) {
        return new FileSource(root, cache, spillFolder, DirectoryTree.NAMES_HELD, Clock.systemUTC(), true);
    }

    FileSource(Path root, EtagCache cache, Path spillFolder, int namesHeld, Clock clock) {
        this(root, cache, spillFolder, namesHeld, clock, false);
    }

    FileSource(Path root, EtagCache cache, Path spillFolder, int namesHeld, Clock clock, boolean settledOnly) {
        this.root = root;
        this.cache = cache;
        this.tree = new DirectoryTree(root, "", spillFolder, namesHeld);
        this.clock = clock;
        this.settledOnly = settledOnly;
    }

    @Override
    public ObjectListing list(KeyRange range) throws IOException {
        ObjectListing files = tree.list(range);
        ObjectListing cached = cache.equals(EtagCache.NONE) ? files : new CachedListing(files, cache);
        return settledOnly ? new SettledListing(cached) : cached;
    }

    /** Leaves out files that changed just now. Those with a known ETag were settled when they were read. */
    private final class SettledListing implements ObjectListing {
        private final ObjectListing all;

        SettledListing(ObjectListing all) {
            this.all = all;
        }

        @Override
        public Optional<ListEntry> next() throws IOException {
            Optional<ListEntry> entry = all.next();
            while (entry.isPresent()
                    && entry.get() instanceof ObjectInfo o
                    && o.etag().isEmpty()
                    && !isSettled(o.key())) {
                entry = all.next();
            }
            return entry;
        }

        private boolean isSettled(String key) {
            try {
                FileStamp stamp = FileStamp.of(root.resolve(key));
                return nanos() - Math.max(stamp.modifiedNanos(), stamp.changedNanos()) >= TICK_NANOS;
            } catch (IOException e) {
                // Gone since it was listed: whoever opens it will say so.
                return true;
            }
        }

        @Override
        public void close() {
            all.close();
        }
    }

    /** Sees what {@link #list} sees: a file behind a link to a directory is none of this source's. */
    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        if (!FileKeys.isRelative(key)) {
            return Optional.empty();
        }
        Path path;
        FileStamp stamp;
        try {
            path = root.resolve(key);
            for (Path p = path.getParent(); p != null && !p.equals(root); p = p.getParent()) {
                if (Files.isSymbolicLink(p)) {
                    return Optional.empty();
                }
            }
            stamp = FileStamp.of(path);
        } catch (InvalidPathException e) {
            return Optional.empty();
        } catch (IOException e) {
            if (StoreErrors.isNothingThere(e)) {
                requireRoot();
                return Optional.empty();
            }
            throw unreadable(key, e);
        }
        return switch (stamp.kind()) {
            case FILE -> {
                ObjectInfo found =
                        new ObjectInfo(key, stamp.size(), Optional.empty(), stamp.revision(), stamp.modified());
                yield Optional.of(CachedListing.withEtag(found, cache.lookup(found)));
            }
            case DIRECTORY -> Optional.empty();
            default ->
                throw new UnreadableObjectException(
                        UnreadableObjectException.Why.UNREADABLE,
                        DirectoryListing.describe(stamp.kind()) + ": " + path);
        };
    }

    @Override
    public ObjectRead open(ObjectInfo object) throws IOException {
        Path path = root.resolve(object.key());
        long opened = nanos();
        FileStamp stamp;
        InputStream in;
        try {
            // Looked at before it is opened: opening a pipe that took the file's place would wait for its writer.
            stamp = FileStamp.of(path);
            if (!isVersion(stamp, object)) {
                throw new ObjectChangedException(object.key());
            }
            in = Files.newInputStream(path);
        } catch (ObjectChangedException e) {
            throw e;
        } catch (IOException e) {
            throw unreadable(object.key(), e);
        }
        return new Read(object, path, in, opened - stamp.modifiedNanos() >= TICK_NANOS);
    }

    @Override
    public ObjectIdentity identify(ObjectInfo object) throws IOException {
        if (object.etag().isPresent()) {
            return identity(object, object.etag().get());
        }
        try (ObjectRead read = open(object)) {
            byte[] buffer = new byte[1 << 16];
            InputStream body = read.body();
            while (body.read(buffer, 0, buffer.length) >= 0) {
                // the body hashes what passes through it
            }
            return read.finish();
        }
    }

    @Override
    public String describe() {
        return root.toString();
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(clock.millis());
    }

    private static boolean isVersion(FileStamp stamp, ObjectInfo object) {
        return stamp.kind() == FileStamp.Kind.FILE
                && stamp.size() == object.size()
                && stamp.revision().equals(object.revision());
    }

    private static ObjectIdentity identity(ObjectInfo object, String etag) {
        return new ObjectIdentity(object.key(), etag, object.size(), Optional.empty());
    }

    private void requireRoot() throws StoreException {
        if (!Files.isDirectory(root)) {
            throw new StoreException("the source is gone: " + root);
        }
    }

    /** What a failure at one file means. Where it is no fault of that file's, the {@link StoreException} is thrown from here. */
    private UnreadableObjectException unreadable(String key, IOException e) throws StoreException {
        Path path = root.resolve(key);
        String reason = StoreErrors.reason(e);
        if (StoreErrors.isOurs(reason)) {
            throw StoreErrors.of(path, e);
        }
        if (StoreErrors.isNothingThere(e)) {
            requireRoot();
            boolean link = e instanceof NoSuchFileException && Files.isSymbolicLink(path);
            return new UnreadableObjectException(
                    UnreadableObjectException.Why.DELETED,
                    (link ? "a link to nothing: " : "deleted since it was listed: ") + path,
                    e);
        }
        UnreadableObjectException.Why why = e instanceof AccessDeniedException
                ? UnreadableObjectException.Why.ACCESS_DENIED
                : UnreadableObjectException.Why.UNREADABLE;
        return new UnreadableObjectException(why, reason + ": " + path, e);
    }

    /** One pass over a file's content. */
    private final class Read implements ObjectRead {
        private final ObjectInfo object;
        private final Path path;
        private final Body body;
        private final boolean settled;

        /** @param settled whether any change from now on will show in the file's times */
        Read(ObjectInfo object, Path path, InputStream in, boolean settled) {
            this.object = object;
            this.path = path;
            this.body = new Body(object, in);
            this.settled = settled;
        }

        @Override
        public InputStream body() {
            return body;
        }

        @Override
        public ObjectIdentity finish() throws IOException {
            body.requireEnd();
            try {
                if (!isVersion(FileStamp.of(path), object)) {
                    throw new ObjectChangedException(object.key());
                }
            } catch (ObjectChangedException e) {
                throw e;
            } catch (IOException e) {
                // Gone, or out of reach: what was read may be the whole version or not. The next look at it says which
                // fault to report.
                throw changed(e);
            }
            String etag = body.etag();
            if (settled) {
                cache.remember(object.key(), object.revision(), etag);
            }
            return identity(object, etag);
        }

        private ObjectChangedException changed(IOException cause) {
            ObjectChangedException e = new ObjectChangedException(object.key());
            e.initCause(cause);
            return e;
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /** Hashes and counts what passes through. */
    private final class Body extends InputStream {
        private final ObjectInfo object;
        private final InputStream in;
        private final HashStream128 hash = Hashing.xxh3_128().hashStream();
        private final byte[] one = new byte[1];
        private long count;

        Body(ObjectInfo object, InputStream in) {
            this.object = object;
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            int n = read(one, 0, 1);
            return n < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, buffer.length);
            if (length == 0) {
                return 0;
            }
            int n;
            try {
                n = in.read(buffer, offset, length);
            } catch (IOException e) {
                throw unreadable(object.key(), e);
            }
            if (n < 0) {
                requireSize(count == object.size());
                return -1;
            }
            count += n;
            requireSize(count <= object.size());
            hash.putBytes(buffer, offset, n);
            return n;
        }

        private void requireSize(boolean right) throws ObjectChangedException {
            if (!right) {
                throw new ObjectChangedException(object.key());
            }
        }

        /** All of it was read, and there is no more. */
        void requireEnd() throws IOException {
            if (count < object.size()) {
                throw new IllegalStateException(
                        "finished after " + count + " of " + object.size() + " bytes: " + object.key());
            }
            read();
        }

        String etag() {
            HashValue128 value = hash.get();
            HexFormat hex = HexFormat.of();
            return hex.toHexDigits(value.getMostSignificantBits()) + hex.toHexDigits(value.getLeastSignificantBits());
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
