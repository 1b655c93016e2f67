package dev.stet.cli;

import dev.stet.config.ConfigContext;
import dev.stet.run.Engine;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the command line sees of the world. */
record Surroundings(
        PrintStream out,
        PrintStream err,
        Path workingDirectory,
        Function<String, Optional<String>> environment,
        Terminal terminal,
        Supplier<Engine> engines) {
    ConfigContext configContext() {
        return new ConfigContext(workingDirectory, environment);
    }
}
