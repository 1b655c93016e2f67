package dev.stet.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stet.aws.PythonTool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/** cfn-lint, installed once by {@code cfn-lint-requirements.txt}; its tests are skipped, saying why, where Python 3.10 or pip is missing. */
final class CfnLint {
    private CfnLint() {}

    /** Everything it says of templates, warnings too. */
    static List<String> complaints(List<Path> templates) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(program("cfn-lint").toString(), "--format", "parseable", "--regions", "eu-central-1", "--"));
        templates.forEach(t -> command.add(t.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        int code = process.waitFor();
        if (code != 0 && lines.isEmpty()) {
            throw new AssertionError("cfn-lint ended with " + code + " and said nothing");
        }
        return lines;
    }

    /** One of the programs installed with it. */
    static Path program(String name) throws InterruptedException {
        return installed().resolve("venv/bin").resolve(name);
    }

    private static Path installed() throws InterruptedException {
        try (InputStream in = Objects.requireNonNull(CfnLint.class.getResourceAsStream("/cfn-lint-requirements.txt"))) {
            return PythonTool.install("cfn-lint", in.readAllBytes());
        } catch (IOException e) {
            return Assumptions.abort("cfn-lint cannot be used, its tests are skipped: " + e.getMessage());
        }
    }
}
