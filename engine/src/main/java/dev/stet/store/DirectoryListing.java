package dev.stet.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Walks a directory tree in the order of S3 listings. Keys compare as wholes, so a directory {@code a} does not stand at {@code a} but at {@code a/}:
 * after {@code a-1} and {@code a.json}. Each name costs one look at the file; a name that cannot lead into the range costs none.
 *
 * <p>Names that are no UTF-8 travel through the sort as their readable form, NUL (which no name has), and the bytes spelt out.
 */
final class DirectoryListing implements ObjectListing {
    private static final char NUL = '\0';

    private final DirectoryTree tree;
    private final KeyRange range;
    private final Deque<Level> levels = new ArrayDeque<>();

    DirectoryListing(DirectoryTree tree, KeyRange range) throws IOException {
        this.tree = tree;
        this.range = range;
        Level root;
        try {
            if (FileStamp.of(tree.root()).kind() != FileStamp.Kind.DIRECTORY) {
                throw new NotDirectoryException(tree.root().toString());
            }
            root = read(tree.root(), "");
        } catch (IOException e) {
            throw StoreErrors.of(tree.root(), e);
        }
        if (root.fault.isPresent()) {
            throw new StoreException(root.fault.get() + ": " + tree.root());
        }
        levels.push(root);
    }

    @Override
    public Optional<ListEntry> next() throws IOException {
        while (!levels.isEmpty()) {
            Level level = levels.element();
            if (level.fault.isPresent()) {
                ListEntry entry = new Unlistable(level.prefix, level.fault.get());
                level.fault = Optional.empty();
                if (range.contains(entry.key())) {
                    return Optional.of(entry);
                }
            }
            if (level.ahead.isEmpty()) {
                level.ahead = level.names.next();
            }
            String folder = level.folders.peek();
            if (folder != null && (level.ahead.isEmpty() || KeyOrder.compare(folder + "/", level.ahead.get()) < 0)) {
                level.folders.remove();
                enter(level, folder);
            } else if (level.ahead.isEmpty()) {
                levels.remove().names.close();
            } else {
                String name = level.ahead.get();
                level.ahead = Optional.empty();
                Optional<ListEntry> entry = look(level, name);
                if (entry.isPresent() && range.contains(entry.get().key())) {
                    return entry;
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        levels.forEach(l -> l.names.close());
        levels.clear();
    }

    private void enter(Level parent, String name) throws IOException {
        Level level;
        try {
            level = read(parent.path.resolve(name), parent.prefix + name + "/");
        } catch (NoSuchFileException e) {
            return; // removed since its name was read
        }
        levels.push(level);
    }

    /** What lies under a name; nothing for a directory, which comes later, and for a file that is gone. */
    private Optional<ListEntry> look(Level level, String name) {
        int nul = name.indexOf(NUL);
        if (nul >= 0) {
            return Optional.of(new Unlistable(
                    level.prefix + name.substring(0, nul),
                    "its name is not valid UTF-8 (" + name.substring(nul + 1) + ")"));
        }
        String key = level.prefix + name;
        Path path = level.path.resolve(name);
        FileStamp stamp;
        try {
            stamp = FileStamp.of(path);
            if (stamp.kind() == FileStamp.Kind.DIRECTORY) {
                if (Files.isSymbolicLink(path)) {
                    return Optional.of(new Unlistable(key, "a link to a directory"));
                }
                level.folders.add(name);
                return Optional.empty();
            }
        } catch (NoSuchFileException e) {
            return Files.isSymbolicLink(path)
                    ? Optional.of(new Unlistable(key, "a link to nothing"))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of(new Unlistable(key, StoreErrors.reason(e)));
        }
        return Optional.of(
                stamp.kind() == FileStamp.Kind.FILE
                        ? new ObjectInfo(key, stamp.size(), Optional.empty(), stamp.revision(), stamp.modified())
                        : new Unlistable(key, describe(stamp.kind())));
    }

    static String describe(FileStamp.Kind kind) {
        return switch (kind) {
            case FILE -> "a file";
            case DIRECTORY -> "a directory";
            case PIPE -> "a named pipe";
            case SOCKET -> "a socket";
            case DEVICE -> "a device";
            case OTHER -> "neither a file nor a directory";
        };
    }

    /** Reads and sorts the names that can lead into the range. A directory that cannot be read, or not to its end, becomes a level with a fault. */
    private Level read(Path path, String prefix) throws IOException {
        NameSorter sorter = new NameSorter(tree.spillFolder(), tree.namesHeld());
        Optional<String> fault = Optional.empty();
        boolean done = false;
        try {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    String name = name(entry);
                    if (leadsIntoRange(prefix, name) && !(prefix.isEmpty() && name.equals(tree.hidden()))) {
                        sorter.add(name);
                    }
                }
            } catch (DirectoryIteratorException e) {
                fault = Optional.of(StoreErrors.reason(Objects.requireNonNull(e.getCause())));
            } catch (NoSuchFileException | StoreException e) {
                throw e;
            } catch (IOException e) {
                String reason = StoreErrors.reason(e);
                if (StoreErrors.isOurs(reason)) {
                    throw StoreErrors.of(path, e);
                }
                fault = Optional.of(reason);
            }
            Level level = new Level(path, prefix, sorter.finish(), fault);
            done = true;
            return level;
        } finally {
            if (!done) {
                sorter.abandon();
            }
        }
    }

    /** Whether a file of that name, or anything below a directory of that name, may lie in the range. */
    private boolean leadsIntoRange(String prefix, String name) {
        String key = prefix + name;
        if (range.upTo().isPresent() && KeyOrder.compare(key, range.upTo().get()) > 0) {
            return false;
        }
        if (KeyOrder.compare(key, range.after()) > 0) {
            return true;
        }
        String folder = key + "/";
        return range.after().startsWith(folder) || KeyOrder.compare(folder, range.after()) > 0;
    }

    private static String name(Path entry) {
        String name = String.valueOf(entry.getFileName());
        return name.indexOf('\uFFFD') < 0 || isFaithful(entry, name) ? name : name + NUL + spelt(entry);
    }

    /** Whether the readable form leads back to the same bytes: U+FFFD also stands for bytes that could not be decoded. */
    private static boolean isFaithful(Path entry, String name) {
        try {
            return entry.getFileSystem().getPath(name).equals(entry.getFileName());
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** The name with every byte beyond ASCII in hex; a path gives its bytes away only as a URI. */
    private static String spelt(Path entry) {
        String uri = entry.toUri().getRawPath();
        String path = uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
        return path.substring(path.lastIndexOf('/') + 1).replace("%", "\\x");
    }

    /** One directory on the way down. */
    private static final class Level {
        private final Path path;
        /** Its key with a slash at the end; empty for the root. */
        private final String prefix;

        private final SortedNames names;
        private Optional<String> ahead = Optional.empty();
        /** Directories seen whose turn has not come: each is a prefix of the next name, so they are few. */
        private final PriorityQueue<String> folders =
                new PriorityQueue<>(Comparator.comparing((String n) -> n + "/", KeyOrder.UTF8));

        private Optional<String> fault;

        Level(Path path, String prefix, SortedNames names, Optional<String> fault) {
            this.path = path;
            this.prefix = prefix;
            this.names = names;
            this.fault = fault;
        }
    }
}
