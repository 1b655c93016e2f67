package dev.stet.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells whether names in a directory that differ only in letter case are different names. Folders of tenants {@code A} and {@code a} would become one
 * folder where they are not (rule book D27).
 */
@FunctionalInterface
public interface CaseProbe {
    /** Asks the file system, with a file in the directory's {@code .stet-tmp}; nothing stays behind. */
    CaseProbe FILES = CaseProbe::probe;

    /**
     * Whether {@code A} is another name than {@code a} there.
     *
     * @param directory exists and can be written to
     */
    boolean distinguishesCase(Path directory) throws IOException;

    private static boolean probe(Path directory) throws IOException {
        // A folder of its own below the temporary one: case folding is inherited from the parent where it is set by
        // directory (ext4, NTFS).
        Path folder = directory.resolve(FileStore.TEMPORARY_FOLDER);
        Path probe = folder.resolve("case-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        try {
            Files.createDirectories(probe);
            Files.createFile(probe.resolve("a"));
            boolean distinguishes = Files.notExists(probe.resolve("A"));
            Files.delete(probe.resolve("a"));
            return distinguishes;
        } catch (IOException e) {
            throw StoreErrors.of(directory, e);
        } finally {
            FileStore.removeIfEmpty(probe);
            FileStore.removeIfEmpty(folder);
        }
    }
}
