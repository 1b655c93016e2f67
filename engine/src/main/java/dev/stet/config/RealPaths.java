package dev.stet.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Real paths, links followed, also of what does not exist yet. */
public final class RealPaths {
    private static final int MAX_LINKS = 40;

    private RealPaths() {}

    /** The real path of the part that exists, and the rest as it is; links that lead nowhere yet are followed too. */
    public static Path of(Path absolute) {
        return of(absolute, MAX_LINKS);
    }

    private static Path of(Path absolute, int links) {
        try {
            return absolute.toRealPath();
        } catch (IOException e) {
            // Not there (yet), or not to be looked at: resolve what is above it.
        }
        Optional<Path> parent = Optional.ofNullable(absolute.getParent());
        Optional<Path> name = Optional.ofNullable(absolute.getFileName());
        if (parent.isEmpty() || name.isEmpty()) {
            return absolute;
        }
        if (links > 0 && Files.isSymbolicLink(absolute)) {
            try {
                return of(parent.get().resolve(Files.readSymbolicLink(absolute)), links - 1);
            } catch (IOException e) {
                // A link that cannot be read is a plain name.
            }
        }
        return of(parent.get(), links).resolve(name.get()).normalize();
    }
}
