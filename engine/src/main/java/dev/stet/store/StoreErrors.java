package dev.stet.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;

/** Turns what the file system says into one line for users: the fault first, then the path; no class names. */
final class StoreErrors {
    private StoreErrors() {}

    /** The failure of a call on {@code path} that stops the run. */
    static StoreException of(Path path, IOException e) {
        if (e instanceof StoreException known) {
            return known;
        }
        String reason = reason(e);
        if (isFull(reason)) {
            return new StoreException(reason + ": " + path + "; free some space and run the same command again", e);
        }
        if (e instanceof NotDirectoryException || reason.equals("not a directory")) {
            return new StoreException("not a directory: " + nearestExisting(path), e);
        }
        return new StoreException(reason + ": " + path, e);
    }

    /** What went wrong, in the operating system's words, lower case; never empty. */
    static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (e instanceof NotDirectoryException) {
            return "not a directory";
        }
        String text = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
        if (text == null || text.isBlank()) {
            return "input/output error";
        }
        String line = text.lines().findFirst().orElse(text).strip();
        return line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
    }

    static boolean isFull(String reason) {
        return reason.startsWith("no space left") || reason.startsWith("disk quota exceeded");
    }

    /** Whether there is no file of that name: none, or a file where a folder of its path would be. */
    static boolean isNothingThere(IOException e) {
        return e instanceof NoSuchFileException || reason(e).equals("not a directory");
    }

    /** Whether the fault is this process's and not the file's, so that the next file would meet it too. */
    static boolean isOurs(String reason) {
        return reason.startsWith("too many open files");
    }

    /** The part of the path that is there: with "not a directory", the file in the way. */
    private static Path nearestExisting(Path path) {
        for (Path p = path; p != null; p = p.getParent()) {
            if (Files.exists(p, LinkOption.NOFOLLOW_LINKS)) {
                return p;
            }
        }
        return path;
    }
}
