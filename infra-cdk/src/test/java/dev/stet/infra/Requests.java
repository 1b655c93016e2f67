package dev.stet.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A request to AWS of a function, of those that its tests recorded from a whole run: {@code functions/src/test/resources/requests.tsv}.
 *
 * @param resource {@code source}, {@code sink}, {@code inventory}, {@code staging} (a bucket), each with {@code /*} for an object; {@code table}; {@code stateMachine:NAME}, {@code
 *     execution:NAME}
 * @param operation of the SDK
 */
record Requests(String function, String action, String resource, String operation) {
    private static final Path LIST = Path.of("..", "functions", "src", "test", "resources", "requests.tsv");

    static List<Requests> recorded() {
        try {
            return Files.readAllLines(LIST).stream()
                    .filter(line -> !line.isBlank())
                    .map(line -> line.split("\t", -1))
                    .map(f -> new Requests(f[0], f[1], f[2], f[3]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class that serves it: {@code next-round} is NextRoundHandler. */
    String handler() {
        StringBuilder name = new StringBuilder();
        for (String word : function.split("-", -1)) {
            name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return name + "Handler";
    }
}
