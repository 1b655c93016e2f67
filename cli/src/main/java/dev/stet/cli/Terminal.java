package dev.stet.cli;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Whether standard error is a terminal, and how wide: the JDK tells only of standard input and output, so the system is asked. */
class Terminal {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int LEAST_COLUMNS = 20;

    boolean isStandardError() {
        Path link = Path.of("/proc/self/fd/2");
        try {
            if (Files.isSymbolicLink(link)) {
                String target = Files.readSymbolicLink(link).toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
            }
        } catch (IOException e) {
            return false;
        }
        return ask("test", "-t", "2").isPresent();
    }

    /** The width of the terminal: $COLUMNS, else what stty says, else 80. */
    int columns(Function<String, Optional<String>> environment) {
        return environment
                .apply("COLUMNS")
                .or(() -> ask("sh", "-c", "stty size <&2").map(s -> s.substring(s.indexOf(' ') + 1)))
                .flatMap(Terminal::width)
                .orElse(DEFAULT_COLUMNS);
    }

    private static Optional<Integer> width(String text) {
        try {
            return Optional.of(Integer.parseInt(text.strip())).filter(n -> n >= LEAST_COLUMNS);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** What a command prints, if it ends well; its standard error is ours. */
    private static Optional<String> ask(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectError(Redirect.INHERIT)
                    .start();
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.exitValue() == 0 ? Optional.of(out) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
