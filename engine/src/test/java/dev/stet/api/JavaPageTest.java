package dev.stet.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.api.Outcome.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds docs/java.md to code that is compiled and run. */
class JavaPageTest {
    private static final Path REPOSITORY = Path.of("..");

    @TempDir
    private Path work;

    @Test
    void theExampleOfThePageIsTheCodeThatIsRunHere() throws IOException {
        List<String> source =
                Files.readAllLines(REPOSITORY.resolve("engine/src/test/java/dev/stet/api/CopyArchive.java"));
        List<String> code =
                source.subList(index(source, "// begin: docs/java.md") + 1, index(source, "// end: docs/java.md"));
        List<String> page = Files.readAllLines(REPOSITORY.resolve("docs/java.md"));
        int begin = page.indexOf("```java") + 1;
        List<String> example =
                page.subList(begin, begin + page.subList(begin, page.size()).indexOf("```"));
        assertThat(example)
                .isEqualTo(code.stream().map(l -> l.replaceFirst("^ {4}", "")).toList());
    }

    private static int index(List<String> lines, String text) {
        List<String> stripped = lines.stream().map(String::strip).toList();
        assertThat(stripped).contains(text);
        return stripped.indexOf(text);
    }

    @Test
    void itCopiesTheExampleArchiveAndASecondTimeNothing() throws Exception {
        String archive = REPOSITORY.resolve("examples/raw").toString();
        String lake = work.resolve("lake").toString();
        String file = work.resolve("skippr.yml").toString();
        Outcome first = CopyArchive.copy(archive, lake, file, work.resolve("state"));
        assertThat(first.ending()).isEqualTo(Ending.COMPLETE);
        assertThat(first.exitCode()).isZero();
        assertThat(first.counters().objectsCopied()).isEqualTo(15);
        assertThat(first.counters().recordsCopied()).isEqualTo(744);
        assertThat(first.counters().digest()).hasToString("744:268973:19853647e40d9e9dc56adf50b95b18f8");
        try (Stream<Path> landed = Files.walk(work.resolve("lake"))) {
            assertThat(landed.filter(Files::isRegularFile))
                    .hasSize((int) first.counters().landedObjects());
        }
        assertThat(work.resolve("lake/door.opened/p_tenant_id=acme/p_year=2021/p_month=10/p_day=04"))
                .isDirectory();
        Outcome again = CopyArchive.copy(archive, lake, file, work.resolve("state"));
        assertThat(again.counters().objectsCopied()).isZero();
    }
}
