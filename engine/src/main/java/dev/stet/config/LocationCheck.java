package dev.stet.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Refuses a source and a sink, or a folder of the engine's own, that lie in one another: what is written would be read again. Directories are compared
 * as they really are: links followed, whether they exist yet or not.
 */
public final class LocationCheck {
    private LocationCheck() {}

    /**
     * Source and sink.
     *
     * @throws ConfigException the sink lies inside the source, the source inside the sink, or they are the same
     */
    public static void apart(Location source, Location sink) throws ConfigException {
        if (source instanceof Location.Directory from && sink instanceof Location.Directory to) {
            if (contains(from.path(), to.path())) {
                throw new ConfigException(
                        contains(to.path(), from.path())
                                ? "the sink is the source: " + to.describe()
                                : "the sink lies inside the source: " + to.describe() + " is within "
                                        + from.describe());
            }
            if (contains(to.path(), from.path())) {
                throw new ConfigException(
                        "the source lies inside the sink: " + from.describe() + " is within " + to.describe());
            }
        }
        if (source instanceof Location.S3 from && sink instanceof Location.S3 to && sameBucket(from, to)) {
            // A source is a string prefix; everything of a sink lies under its prefix as a folder.
            String folder = folder(to.prefix());
            if (folder.startsWith(from.prefix())) {
                throw new ConfigException(
                        from.prefix().startsWith(folder)
                                ? "the sink is the source: " + to.describe()
                                : "the sink lies inside the source: " + to.describe() + " begins with "
                                        + from.describe());
            }
            if (from.prefix().startsWith(folder)) {
                throw new ConfigException(
                        "the source lies inside the sink: " + from.describe() + " is within " + to.describe());
            }
        }
    }

    /**
     * State and staging lie neither in the source, where they would be read as objects, nor in the sink.
     *
     * @param what the folder's name in the message, for instance {@code --state}
     */
    public static void outside(String what, Path folder, Location source, Location sink) throws ConfigException {
        if (source instanceof Location.Directory from && contains(from.path(), folder)) {
            throw new ConfigException(what + " lies inside the source: " + folder + " is within " + from.describe());
        }
        if (sink instanceof Location.Directory to && contains(to.path(), folder)) {
            throw new ConfigException(what + " lies inside the sink: " + folder + " is within " + to.describe());
        }
    }

    /** Whether {@code inner} is {@code outer} or below it. */
    private static boolean contains(Path outer, Path inner) {
        Path realOuter = RealPaths.of(outer.toAbsolutePath());
        Optional<Path> folder = Optional.of(RealPaths.of(inner.toAbsolutePath()));
        while (folder.isPresent()) {
            if (same(realOuter, folder.get())) {
                return true;
            }
            folder = Optional.ofNullable(folder.get().getParent());
        }
        return false;
    }

    /** By name, else by identity: one directory can have several names (bind mounts, file systems that ignore letter case). */
    private static boolean same(Path a, Path b) {
        if (a.equals(b)) {
            return true;
        }
        try {
            return Files.isSameFile(a, b);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean sameBucket(Location.S3 a, Location.S3 b) {
        boolean otherServer = a.endpointUrl().isPresent()
                && b.endpointUrl().isPresent()
                && !a.endpointUrl().equals(b.endpointUrl());
        return a.bucket().equals(b.bucket()) && !otherServer;
    }

    private static String folder(String prefix) {
        return prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
    }
}
