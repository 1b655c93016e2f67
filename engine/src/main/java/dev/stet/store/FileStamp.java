package dev.stet.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What one look at a file tells without reading it. The change time and inode tell a file that was put in another's place, or written in place, with its
 * old size and modification time set again; where the file system has neither, they are 0.
 */
record FileStamp(Kind kind, long size, long modifiedNanos, long changedNanos, long device, long inode) {
    enum Kind {
        FILE,
        DIRECTORY,
        PIPE,
        SOCKET,
        DEVICE,
        OTHER
    }

    private static final String UNIX = "unix:mode,size,lastModifiedTime,ctime,dev,ino";

    /** One system call; follows links unless told otherwise. */
    static FileStamp of(Path path, LinkOption... options) throws IOException {
        // The view is looked up by the file system, not probed with a call: any other file system has no such view at
        // all.
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return basic(Files.readAttributes(path, BasicFileAttributes.class, options));
        }
        Map<String, Object> a = Files.readAttributes(path, UNIX, options);
        return new FileStamp(
                kind(get(a, "mode", Integer.class)),
                get(a, "size", Long.class),
                nanos(get(a, "lastModifiedTime", FileTime.class)),
                nanos(get(a, "ctime", FileTime.class)),
                get(a, "dev", Long.class),
                get(a, "ino", Long.class));
    }

    private static <T> T get(Map<String, Object> attributes, String name, Class<T> type) {
        return type.cast(Objects.requireNonNull(attributes.get(name), name));
    }

    private static FileStamp basic(BasicFileAttributes a) {
        Kind kind = a.isRegularFile() ? Kind.FILE : a.isDirectory() ? Kind.DIRECTORY : Kind.OTHER;
        return new FileStamp(kind, a.size(), nanos(a.lastModifiedTime()), 0, 0, 0);
    }

    private static Kind kind(int mode) {
        return switch (mode & 0xF000) {
            case 0x8000 -> Kind.FILE;
            case 0x4000 -> Kind.DIRECTORY;
            case 0x1000 -> Kind.PIPE;
            case 0xC000 -> Kind.SOCKET;
            case 0x2000, 0x6000 -> Kind.DEVICE;
            default -> Kind.OTHER;
        };
    }

    private static long nanos(FileTime time) {
        return time.to(TimeUnit.NANOSECONDS);
    }

    Instant modified() {
        return Instant.ofEpochSecond(0, modifiedNanos);
    }

    /** Pins a version of the file's content; see {@link ObjectInfo#revision}. */
    String revision() {
        return size
                + "-" + Long.toHexString(modifiedNanos)
                + "-" + Long.toHexString(changedNanos)
                + "-" + Long.toHexString(device)
                + "-" + Long.toHexString(inode);
    }
}
