package dev.stet.store;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A directory as staging or sink. An object is written to {@code .stet-tmp/<owner>/}, synced, and then linked to its name: a link appears at once, whole,
 * and cannot replace. Folders are made on demand and never removed; files are only removed by {@link #delete}. Thread-safe.
 *
 * <p>Objects are durable when {@link ObjectWriter#complete} returns, their names when {@link #flush} does. An interrupt closes the file in use, and the
 * call fails.
 */
public final class FileStore implements ObjectStore {
    /** Holds what is being written, by owner; in the root, so that it is on the same file system. Not listed. */
    public static final String TEMPORARY_FOLDER = ".stet-tmp";

    private static final Pattern OWNER = Pattern.compile("[A-Za-z0-9_-]{1,200}");
    /** Folders whose names wait for {@link #flush}; past this many a writer syncs them itself, to bound memory. */
    private static final int MAX_UNSYNCED = 20_000;

    private static final int SYNC_THREADS = 16;

    private static final int READ_BUFFER = 1 << 17;

    private final Path root;
    private final Path temporary;
    private final DirectoryTree tree;
    private final Linker linker;
    private final Buffers buffers = new Buffers();
    private final Set<Path> unsynced = ConcurrentHashMap.newKeySet();
    /** Folders of which all parents were added to {@link #unsynced} (or synced) by this object. */
    private final Set<Path> known = ConcurrentHashMap.newKeySet();

    private final Object syncing = new Object();

    /**
     * @param root need not exist: it is made by the first write
     * @param owner separates the unfinished writes of those who share a root, such as two pipelines: the id of the pipeline
     * @param spillFolder for temporary files while a directory of more than a million names is sorted
     */
    public FileStore(Path root, String owner, Path spillFolder) {
        this(
                root,
                owner,
                new DirectoryTree(root, TEMPORARY_FOLDER, spillFolder, DirectoryTree.NAMES_HELD),
                Files::createLink);
    }

    /** For tests of file systems that this machine has not. */
    interface Linker {
        void link(Path name, Path existing) throws IOException;
    }

    FileStore(Path root, String owner, DirectoryTree tree, Linker linker) {
        if (!OWNER.matcher(owner).matches()) {
            throw new IllegalArgumentException("not an owner's name: " + owner);
        }
        this.root = root;
        this.temporary = root.resolve(TEMPORARY_FOLDER).resolve(owner);
        this.tree = tree;
        this.linker = linker;
    }

    /** A root that does not exist yet holds nothing. */
    @Override
    public ObjectListing list(KeyRange range) throws IOException {
        return Files.notExists(root) ? new EmptyListing() : tree.list(range);
    }

    @Override
    public ObjectWriter create(String key) throws IOException {
        Path target = resolve(key);
        Path file = temporary.resolve(temporaryPrefix(key) + beginning(key) + "~"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()));
        try {
            return new Writer(target, file, openNew(file));
        } catch (IOException e) {
            // The temporary file's name says nothing to users; only where it lies may be the fault.
            throw StoreErrors.of(StoreErrors.isFull(StoreErrors.reason(e)) ? target : temporary, e);
        }
    }

    @Override
    public InputStream read(String key, long offset, long length) throws IOException {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException("offset " + offset + ", length " + length);
        }
        Path path = resolve(key);
        try {
            return new Range(path, FileChannel.open(path, StandardOpenOption.READ), offset, length);
        } catch (IOException e) {
            throw StoreErrors.of(path, e);
        }
    }

    /** Reads all of the bytes. */
    @Override
    public Optional<StoredObject> readBack(String key) throws IOException {
        Path path = resolve(key);
        ByteBuffer buffer = buffers.take();
        try {
            FileStamp.Kind kind = FileStamp.of(path).kind();
            if (kind == FileStamp.Kind.DIRECTORY) {
                return Optional.empty();
            }
            if (kind != FileStamp.Kind.FILE) {
                throw new StoreException(DirectoryListing.describe(kind) + ", not a file: " + path);
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                CRC32C crc = new CRC32C();
                long size = 0;
                for (int n; (n = channel.read(buffer.clear())) >= 0; size += n) {
                    crc.update(buffer.flip());
                }
                return Optional.of(new StoredObject(size, (int) crc.getValue()));
            }
        } catch (IOException e) {
            if (StoreErrors.isNothingThere(e)) {
                return Optional.empty();
            }
            throw StoreErrors.of(path, e);
        } finally {
            buffers.give(buffer);
        }
    }

    /** Leaves folders that became empty: whether they were there before is not known. */
    @Override
    public void delete(String key) throws IOException {
        Path path = resolve(key);
        try {
            // Deleting a folder that stands in the object's place would succeed if it is empty; it is not ours.
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && Files.deleteIfExists(path)) {
                touch(parent(path));
            }
        } catch (IOException e) {
            if (!StoreErrors.isNothingThere(e)) {
                throw StoreErrors.of(path, e);
            }
        }
    }

    @Override
    public void abortUploads(String key) throws IOException {
        resolve(key);
        deleteTemporary(temporaryPrefix(key) + "*");
    }

    @Override
    public void abortUploadsNamed(String nameBeginning) throws IOException {
        ObjectStore.requireNameBeginning(nameBeginning);
        deleteTemporary("?".repeat(32) + "-" + nameBeginning + "*");
    }

    @Override
    public void flush() throws IOException {
        // One at a time: who comes second must not return while the first is still syncing folders of both.
        synchronized (syncing) {
            Queue<Path> todo = new ConcurrentLinkedQueue<>();
            for (Iterator<Path> i = unsynced.iterator(); i.hasNext(); ) {
                todo.add(i.next());
                // Removed before it is synced: what is touched from here on is synced by the next flush.
                i.remove();
            }
            if (todo.size() <= SYNC_THREADS) {
                syncAll(todo);
            } else {
                syncInParallel(todo);
            }
        }
    }

    /** A sync waits for the disk, and those that wait together are served together: a fraction of the time of one after the other. */
    private void syncInParallel(Queue<Path> todo) throws IOException {
        List<Future<?>> parts = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(
                SYNC_THREADS, Thread.ofPlatform().name("stet-sync-", 0).factory())) {
            for (int i = 0; i < SYNC_THREADS; i++) {
                parts.add(pool.submit(() -> {
                    syncAll(todo);
                    return null;
                }));
            }
        }
        for (Future<?> part : parts) {
            if (part.state() == Future.State.FAILED) {
                unsynced.addAll(todo);
                throw part.exceptionNow() instanceof IOException e
                        ? StoreErrors.of(root, e)
                        : new StoreException("cannot sync folders: " + root, part.exceptionNow());
            }
        }
    }

    /** Works the queue off; on failure the folder at hand is noted again, the rest is left in the queue. */
    private void syncAll(Queue<Path> todo) throws IOException {
        for (Path folder; (folder = todo.poll()) != null; ) {
            try {
                sync(folder);
            } catch (IOException e) {
                unsynced.add(folder);
                unsynced.addAll(todo);
                throw StoreErrors.of(folder, e);
            }
        }
    }

    @Override
    public String describe() {
        return root.toString();
    }

    @Override
    public String describe(String key) {
        return root.resolve(key).toString();
    }

    /** Deletes this owner's unfinished writes. Only while none of its writers is at work. */
    public void cleanTemporary() throws IOException {
        deleteTemporary("*");
    }

    /** Deletes this owner's unfinished writes and the temporary folder, but for what other owners have in it. Only while none of its writers is at work. */
    public void removeTemporaryFolder() throws IOException {
        deleteTemporary("*");
        removeIfEmpty(temporary);
        removeIfEmpty(parent(temporary));
    }

    /**
     * Makes the root and tries in it what every write needs; nothing stays behind in the temporary folder. To be called before any work is done for
     * this store.
     *
     * @throws StoreException naming what is in the way: a file, missing permission, a read-only file system or one without hard links
     */
    public void prepare() throws IOException {
        Path file = temporary.resolve("probe-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()));
        Path link = temporary.resolve(file.getFileName() + ".link");
        try {
            openNew(file).close();
            linker.link(link, file);
        } catch (UnsupportedOperationException e) {
            throw noLinks(root, e);
        } catch (FileSystemException e) {
            throw isLinkRefusal(e) ? noLinks(root, e) : StoreErrors.of(root, e);
        } catch (IOException e) {
            throw StoreErrors.of(root, e);
        } finally {
            deleteQuietly(link);
            deleteQuietly(file);
        }
    }

    /** Folders whose names wait for {@link #flush}. */
    Set<Path> unsynced() {
        return Set.copyOf(unsynced);
    }

    /** Removes a folder if there is nothing in it; whoever is just using it makes it again. */
    static void removeIfEmpty(Path folder) {
        deleteQuietly(folder);
    }

    private static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // A leftover in the temporary folder: the next start cleans it.
        }
    }

    private Path resolve(String key) throws StoreException {
        String fault = FileKeys.fault(key);
        if (fault.isEmpty() && (key.equals(TEMPORARY_FOLDER) || key.startsWith(TEMPORARY_FOLDER + "/"))) {
            fault = "that folder is for unfinished files";
        }
        if (fault.isEmpty()) {
            try {
                return root.resolve(key);
            } catch (InvalidPathException e) {
                fault = "the locale's character set has no form for it; use a UTF-8 locale";
            }
        }
        throw new StoreException("not possible as a file in " + root + ": " + key + " (" + fault + ")");
    }

    /** All unfinished writes of a key begin with this, and no others: names have a limit that keys have not, hence the hash. */
    private static String temporaryPrefix(String key) {
        HashValue128 hash = Hashing.xxh3_128().hashCharsTo128Bits(key);
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(hash.getMostSignificantBits()) + hex.toHexDigits(hash.getLeastSignificantBits()) + "-";
    }

    /** As much of the name as {@link #abortUploadsNamed} may ask for. */
    private static String beginning(String key) {
        String name = ObjectStore.nameOf(key);
        int end = 0;
        while (end < Math.min(name.length(), MAX_NAME_BEGINNING) && ObjectStore.isPlain(name.charAt(end))) {
            end++;
        }
        return name.substring(0, end);
    }

    /** Opens a new temporary file, and makes the folder for it if there is none, as often as others remove it in between. */
    private FileChannel openNew(Path file) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (NoSuchFileException e) {
                if (attempt == 10) {
                    throw e;
                }
                makeFolder(temporary);
            }
        }
    }

    private static void makeFolder(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
        } catch (NoSuchFileException e) {
            Path parent = folder.getParent();
            if (parent == null) {
                throw e;
            }
            makeFolder(parent);
            try {
                Files.createDirectory(folder);
            } catch (FileAlreadyExistsException made) {
                // By another writer.
            }
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw new NotDirectoryException(folder.toString());
            }
        }
    }

    private void deleteTemporary(String glob) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(temporary, glob)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (DirectoryIteratorException e) {
            throw StoreErrors.of(temporary, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            if (!StoreErrors.isNothingThere(e)) {
                throw StoreErrors.of(temporary, e);
            }
        }
    }

    /** The folder has a new name in it. All folders above are synced once too: who made them may have died before. */
    private void touch(Path folder) throws IOException {
        boolean isNew = unsynced.add(folder);
        if (!known.contains(folder)) {
            Path top = root.getParent();
            for (Path p = folder.getParent(); p != null && p.startsWith(top == null ? root : top); p = p.getParent()) {
                unsynced.add(p);
            }
            if (known.size() > MAX_UNSYNCED) {
                known.clear();
            }
            known.add(folder);
        }
        if (isNew && unsynced.size() > MAX_UNSYNCED) {
            flush();
        }
    }

    private void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (NoSuchFileException e) {
            // Its names went with it.
        } catch (AccessDeniedException e) {
            if (folder.startsWith(root)) {
                throw e;
            }
        } catch (IOException e) {
            // Some network file systems have no sync for folders: names are durable there, or nothing can be done.
            String reason = StoreErrors.reason(e);
            if (!reason.startsWith("invalid argument") && !reason.startsWith("operation not supported")) {
                throw e;
            }
        }
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent());
    }

    private static boolean isLinkRefusal(FileSystemException e) {
        String reason = StoreErrors.reason(e);
        return reason.startsWith("operation not permitted")
                || reason.startsWith("operation not supported")
                || reason.startsWith("function not implemented");
    }

    /**
     * No other call of Java's both makes a whole file visible at once and refuses to replace one: a move replaces, and creating the final name exclusively
     * shows it unfinished.
     */
    private static StoreException noLinks(Path path, Exception e) {
        return new StoreException(
                "no hard links on this file system, which are needed to make files visible whole: " + path
                        + "; choose a place on another one",
                e);
    }

    private static final class EmptyListing implements ObjectListing {
        @Override
        public Optional<ListEntry> next() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private final class Writer implements ObjectWriter {
        private final Path target;
        private final Path file;
        private final FileChannel channel;
        private final CRC32C crc = new CRC32C();
        private Optional<ByteBuffer> buffer = Optional.empty();
        private long length;
        private boolean ended;

        Writer(Path target, Path file, FileChannel channel) {
            this.target = target;
            this.file = file;
            this.channel = channel;
        }

        @Override
        public void write(byte[] bytes, int from, int to) throws IOException {
            Objects.checkFromToIndex(from, to, bytes.length);
            requireOpen();
            crc.update(bytes, from, to - from);
            length += to - from;
            ByteBuffer into = buffer.orElseGet(buffers::take);
            buffer = Optional.of(into);
            for (int at = from; at < to; ) {
                int n = Math.min(to - at, into.remaining());
                into.put(bytes, at, n);
                at += n;
                if (!into.hasRemaining()) {
                    drain(into);
                }
            }
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public Outcome complete(int crc32c) throws IOException {
            requireOpen();
            if (buffer.isPresent()) {
                drain(buffer.get());
            }
            if ((int) crc.getValue() != crc32c) {
                throw new StoreException(
                        "the bytes to be written do not have the checksum they should: %s (%08x, expected %08x)"
                                .formatted(target, (int) crc.getValue(), crc32c));
            }
            try {
                Outcome outcome = Files.exists(target) ? Outcome.EXISTS : publish();
                if (outcome == Outcome.EXISTS && !Files.isRegularFile(target)) {
                    throw new StoreException("not a file, but in the place of one: " + target);
                }
                close();
                if (!Files.deleteIfExists(file) && outcome == Outcome.EXISTS) {
                    throw aborted();
                }
                // Also where it was there before: who made it may have died before syncing its name.
                touch(parent(target));
                return outcome;
            } catch (IOException e) {
                throw StoreErrors.of(target, e);
            }
        }

        private Outcome publish() throws IOException {
            channel.force(true);
            for (int attempt = 1; ; attempt++) {
                try {
                    linker.link(target, file);
                    return Outcome.CREATED;
                } catch (FileAlreadyExistsException e) {
                    return Outcome.EXISTS;
                } catch (NoSuchFileException e) {
                    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
                        throw aborted();
                    }
                    if (attempt == 10) {
                        throw e;
                    }
                    makeFolder(parent(target));
                } catch (UnsupportedOperationException e) {
                    throw noLinks(target, e);
                } catch (FileSystemException e) {
                    throw isLinkRefusal(e) ? noLinks(target, e) : e;
                }
            }
        }

        private StoreException aborted() {
            return new StoreException("the unfinished file was aborted by another: " + target);
        }

        private void drain(ByteBuffer full) throws IOException {
            try {
                full.flip();
                while (full.hasRemaining()) {
                    channel.write(full);
                }
                full.clear();
            } catch (IOException e) {
                throw StoreErrors.of(target, e);
            }
        }

        private void requireOpen() {
            if (ended) {
                throw new IllegalStateException("completed, aborted or closed before: " + target);
            }
        }

        @Override
        public void abort() throws IOException {
            try {
                close();
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw StoreErrors.of(file, e);
            }
        }

        @Override
        public void close() throws IOException {
            ended = true;
            buffer.ifPresent(buffers::give);
            buffer = Optional.empty();
            channel.close();
        }
    }

    /** A part of a file. Single bytes cost a system call each. */
    private static final class Range extends InputStream {
        private final Path path;
        private final FileChannel channel;
        private long position;
        private long left;

        Range(Path path, FileChannel channel, long offset, long length) {
            this.path = path;
            this.channel = channel;
            this.position = offset;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            if (left == 0) {
                return -1;
            }
            int n;
            try {
                // In steps, since a read into a heap array takes a buffer of its size off the heap and keeps it.
                n = channel.read(
                        ByteBuffer.wrap(bytes, offset, (int) Math.min(Math.min(length, READ_BUFFER), left)), position);
            } catch (IOException e) {
                throw StoreErrors.of(path, e);
            }
            if (n < 0) {
                throw new EOFException("the file ends " + left + " bytes too early: " + path);
            }
            position += n;
            left -= n;
            return n;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
