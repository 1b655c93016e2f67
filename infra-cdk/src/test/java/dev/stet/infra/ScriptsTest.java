package dev.stet.infra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that a build cannot run: that they can be read at all, and that the one which deploys does nothing unasked. */
final class ScriptsTest {
    private static final Path SMOKE = Path.of("..", "scripts", "smoke-aws");

    @TempDir
    private Path work;

    static List<Path> scripts() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path folder : List.of(Path.of("..", "scripts"), Path.of("."), Path.of(".."))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(Files::isRegularFile)
                        .filter(Files::isExecutable)
                        .filter(f -> !first(f).isEmpty())
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static String first(Path file) {
        try (Stream<String> lines = Files.lines(file, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            return lines.findFirst().filter(l -> l.startsWith("#!")).orElse("");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void everyScriptCanBeRead(Path script) throws Exception {
        String interpreter = first(script);
        if (interpreter.contains("python")) {
            ran(0, "python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", script.toString());
        } else {
            ran(0, interpreter.contains("bash") ? "bash" : "sh", "-n", script.toString());
        }
    }

    @Test
    void askedForHelpTheSmokeTestSaysWhatItDoesAndDoesNothing() throws Exception {
        assertThat(ran(0, SMOKE.toString(), "--help")).contains("deploy", "destroy", "KEEP=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--hepl", "now"})
    void whatTheSmokeTestDoesNotKnowItRefuses(String argument) throws Exception {
        assertThat(ran(2, SMOKE.toString(), argument)).contains("smoke-aws: unknown argument: " + argument);
    }

    /** Its words. No command of AWS's can be found: one that is called all the same would fail the test. */
    private String ran(int code, String... command) throws Exception {
        Path aws = Files.writeString(work.resolve("aws"), "#!/bin/sh\necho called: aws \"$@\"\nexit 99\n");
        assertThat(aws.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PATH", work.toString(), (path, first) -> first + ":" + path);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(code);
        assertThat(said).doesNotContain("called: aws");
        return said;
    }
}
