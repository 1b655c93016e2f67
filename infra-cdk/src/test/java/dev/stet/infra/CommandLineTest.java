package dev.stet.infra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.NodeTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command of the docs, by the CDK's own command line: it sets variables, adds context and judges what the rules found, none of which a synthesis within a test does.
 * {@code ./synth} would build with Maven; here the compiled classes run in its place.
 */
final class CommandLineTest {
    @TempDir
    private Path work;

    @Test
    void synthSucceedsOfflineForWhomeverIsNotSignedIn() throws Exception {
        Ended ended = synth(List.of("-c", "sourceBucket=devices", "-c", "sinkBucket=lake"));
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(work.resolve("out/Stet.template.json")).exists();
    }

    @Test
    void whatCannotBeIsSaidInOneLine() throws Exception {
        Ended ended = synth(List.of("-c", "sourceBucket=devices", "-c", "sinkBuckets=lake"));
        assertThat(ended.code()).isNotZero();
        assertThat(ended.said())
                .contains(
                        "stet: sinkBuckets: there is no such setting; is it sinkBucket? (docs/deploy.md lists all of them)")
                .doesNotContain("\tat ");
    }

    private record Ended(int code, String said) {}

    private Ended synth(List<String> context) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                cdk().toString(),
                "synth",
                "-q",
                "--no-notices",
                "--output",
                work.resolve("out").toString()));
        command.addAll(List.of("--app", app()));
        command.addAll(context);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("CDK_"));
        for (String file : List.of("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE")) {
            builder.environment().put(file, work.resolve("none").toString());
        }
        builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
        builder.environment().put("CDK_DISABLE_CLI_TELEMETRY", "true");
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), said);
    }

    /** A program that the command line can call by its name. */
    private String app() throws IOException {
        Path jar = Files.writeString(work.resolve("functions.jar"), "any jar is an asset");
        Path program = Files.writeString(work.resolve("app"), """
                #!/bin/sh
                exec '%s' -XX:TieredStopAtLevel=1 '-Dstet.functions.jar=%s' -cp '%s' %s
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        jar,
                        System.getProperty("java.class.path"),
                        StetApp.class.getName()));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program.toString();
    }

    private static Path cdk() throws InterruptedException {
        try {
            return NodeTool.install("cdk", Path.of(".")).resolve("node_modules/.bin/cdk");
        } catch (IOException e) {
            return Assumptions.abort("the CDK's command cannot be installed, its tests are skipped: " + e.getMessage());
        }
    }
}
