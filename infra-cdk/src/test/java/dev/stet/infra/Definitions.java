package dev.stet.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of {@code statemachine/}. */
final class Definitions {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");

    private Definitions() {}

    /** Names that a definition leaves open. */
    static Set<String> placeholders(String name) {
        try {
            Matcher m = PLACEHOLDER.matcher(Files.readString(Path.of("..", "statemachine", name + ".asl.json")));
            Set<String> found = new TreeSet<>();
            while (m.find()) {
                found.add(m.group(1));
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
