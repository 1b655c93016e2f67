package dev.stet.cli;

import dev.stet.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/** Tells users what went wrong: one line on standard error, without class names. */
final class Errors {
    private static final String PREFIX = "stet: ";

    private final PrintStream err;

    Errors(PrintStream err) {
        this.err = err;
    }

    /** One line for the fault, with its stack trace below where {@code debug} asks for it. Returns the exit code. */
    int report(Throwable fault, boolean debug) {
        err.println(PREFIX + oneLine(message(fault)));
        if (debug) {
            fault.printStackTrace(err);
        }
        return fault instanceof ConfigException ? ExitCode.USAGE : ExitCode.FAILED;
    }

    /** A usage error: one line that names the thing, one that points to the help. */
    int usage(String message, String command) {
        err.println(PREFIX + oneLine(message));
        err.println("Try: " + command + " --help");
        return ExitCode.USAGE;
    }

    static String message(Throwable fault) {
        if (cause(fault, OutOfMemoryError.class).isPresent()) {
            return "out of memory: give the process a larger heap, or use a smaller --memory or fewer --threads,"
                    + " for instance STET_JAVA_OPTS=-Xmx2g";
        }
        if (fault instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
            return message(unchecked.getCause());
        }
        if (fault instanceof FileSystemException file) {
            return ofFile(file);
        }
        if (fault instanceof ConfigException || fault instanceof IOException) {
            return text(fault).orElse("input or output failed; run again with --debug to see where");
        }
        String told = text(fault).map(t -> ": " + t).orElse("");
        return "internal error" + told + "; run again with --debug to see where";
    }

    private static String ofFile(FileSystemException fault) {
        String file = Optional.ofNullable(fault.getFile()).orElse("a file");
        return switch (fault) {
            case NoSuchFileException e -> "no such file or directory: " + file;
            case AccessDeniedException e -> "permission denied: " + file;
            case FileAlreadyExistsException e -> "already exists: " + file;
            case NotDirectoryException e -> "not a directory: " + file;
            case DirectoryNotEmptyException e -> "directory not empty: " + file;
            default -> file + ": " + Optional.ofNullable(fault.getReason()).orElse("input or output failed");
        };
    }

    private static Optional<String> text(Throwable fault) {
        return Optional.ofNullable(fault.getMessage()).filter(m -> !m.isBlank());
    }

    private static <T extends Throwable> Optional<T> cause(Throwable fault, Class<T> type) {
        Throwable at = fault;
        for (int depth = 0; depth < 20 && at != null; depth++) {
            if (type.isInstance(at)) {
                return Optional.of(type.cast(at));
            }
            at = at.getCause();
        }
        return Optional.empty();
    }

    /** The text on one line: names of files may hold anything. */
    static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line.append("\\n");
            } else if (c == '\r') {
                line.append("\\r");
            } else if (Character.isISOControl(c)) {
                line.append("\\u%04x".formatted((int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }
}
