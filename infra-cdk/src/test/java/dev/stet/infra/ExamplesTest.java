package dev.stet.infra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What users copy: the CDK app is compiled and synthesized, the Terraform module is read, and both make the resource that the function behind it takes. */
final class ExamplesTest {
    private static final Path APP =
            Path.of("..", "examples", "cdk", "src", "main", "java", "com", "example", "pipelines", "PipelinesApp.java");
    private static final Path MODULE = Path.of("..", "examples", "terraform", "main.tf");

    @TempDir
    private Path work;

    @Test
    void theCdkAppIsSynthesized() throws Exception {
        compile(APP);
        String classes = work + System.getProperty("path.separator") + System.getProperty("java.class.path");
        ProcessBuilder app = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes,
                "com.example.pipelines.PipelinesApp");
        app.environment().put("CDK_OUTDIR", work.resolve("out").toString());
        run(app);
        Path template = work.resolve("out/Pipelines.template.json");
        Map<String, JsonNode> pipelines =
                new Template(JsonMapper.shared().readTree(template)).properties(EltPipeline.TYPE);
        assertThat(pipelines).hasSize(2);
        pipelines.values().forEach(ExamplesTest::isAPipelineOfStet);
        assertThat(CfnLint.complaints(List.of(template))).isEmpty();
    }

    @Test
    void theTerraformModuleHandsTheSameResourceToCloudFormation() throws Exception {
        Path reader = Path.of(Objects.requireNonNull(ExamplesTest.class.getResource("/terraform_template.py"))
                .toURI());
        String said =
                run(new ProcessBuilder(CfnLint.program("python").toString(), reader.toString(), MODULE.toString()));
        Path template = Files.writeString(work.resolve("terraform.template.json"), said);
        JsonNode pipeline = new Template(JsonMapper.shared().readTree(said))
                .only(EltPipeline.TYPE)
                .path("Properties");
        isAPipelineOfStet(pipeline);
        assertThat(CfnLint.complaints(List.of(template))).isEmpty();
    }

    private static void isAPipelineOfStet(JsonNode properties) {
        assertThat(Template.text(properties.path("ServiceToken")))
                .isEqualTo("<import " + EltPipeline.export(Settings.DEFAULT_STACK) + ">");
        assertThat(properties.path("name").stringValue("")).isNotEmpty();
        assertThat(properties.path("source").stringValue("")).startsWith("s3://");
        assertThat(properties.path("sink").stringValue("")).startsWith("s3://");
    }

    private void compile(Path source) throws Exception {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
            assertThat(compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of(
                                            "-d",
                                            work.toString(),
                                            "-proc:none",
                                            "-cp",
                                            System.getProperty("java.class.path")),
                                    null,
                                    files.getJavaFileObjects(source))
                            .call())
                    .isTrue();
        }
    }

    private static String run(ProcessBuilder program) throws Exception {
        Process process = program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
