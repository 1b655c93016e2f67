package dev.stet.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed example is what its README says it is, and so the generator still makes the bytes it made then. */
class ExampleTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    @TempDir
    Path temporary;

    @Test
    void theReadmeMakesTheExample() throws IOException {
        Path raw = temporary.resolve("raw");
        Path truth = temporary.resolve("truth.tsv");
        List<String> arguments = new ArrayList<>(List.of(raw.toString(), "--truth", truth.toString()));
        arguments.addAll(options());

        assertThat(Main.run(arguments.toArray(String[]::new))).isZero();

        assertThat(truth).hasSameTextualContentAs(EXAMPLES.resolve("truth.tsv"));
        List<String> made = SinkTree.of(raw).files();
        assertThat(made).isEqualTo(SinkTree.of(EXAMPLES.resolve("raw")).files());
        for (String key : made) {
            byte[] bytes = Files.readAllBytes(raw.resolve(key));
            // Compressed bytes may differ with the zlib of the machine.
            if (bytes.length == 0 || bytes[0] != 0x1f) {
                assertThat(EXAMPLES.resolve("raw").resolve(key)).hasBinaryContent(bytes);
            }
        }
    }

    /** The options of the command in the README. */
    private static List<String> options() throws IOException {
        Matcher command = Pattern.compile("--truth examples/truth.tsv ((?:\\\\\\n|[^\\n])*)")
                .matcher(Files.readString(EXAMPLES.resolve("README.md")));
        assertThat(command.find()).isTrue();
        return List.of(command.group(1).replace("\\\n", " ").trim().split("\\s+"));
    }
}
