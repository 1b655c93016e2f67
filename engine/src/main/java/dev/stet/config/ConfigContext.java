package dev.stet.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** What a configuration file refers to outside itself: relative paths are the working directory's, <code>${VAR}</code> is the environment's. */
public record ConfigContext(Path workingDirectory, Function<String, Optional<String>> environment) {
    /** This process's. */
    public static ConfigContext ofProcess() {
        return new ConfigContext(Path.of("").toAbsolutePath(), name -> Optional.ofNullable(System.getenv(name)));
    }
}
