package dev.stet.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The texts of JSONTestSuite, which lies beside the checkout: y_ must be taken, n_ must not be, i_ may be either; none may harm its neighbour. */
class JsonTestSuiteTest {
    private static final String SUITE = "shared/cases/real/jsontestsuite/test_parsing";
    private static final String GOOD = "{\"good\":\"record\"}";

    @TestFactory
    Stream<DynamicTest> each_text() throws IOException {
        Optional<Path> suite = find();
        assumeTrue(suite.isPresent(), SUITE + " is not there: skipped");
        try (Stream<Path> files = Files.list(suite.get())) {
            List<Path> sorted = files.sorted().toList();
            return sorted.stream()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
        }
    }

    private static Optional<Path> find() {
        for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
            if (Files.isDirectory(dir.resolve(SUITE))) {
                return Optional.of(dir.resolve(SUITE));
            }
        }
        return Optional.empty();
    }

    private static void check(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        char kind = file.getFileName().toString().charAt(0);
        String wrapped = "{\"v\":" + text + ",\"w\":1}";
        List<String> alone = framed(wrapped + "\n" + GOOD).records();
        assertThat(alone).endsWith(GOOD);
        if (kind == 'y') {
            assertThat(alone).containsExactly(wrapped, GOOD);
        } else if (kind == 'n' && !isTaken(file)) {
            assertThat(alone).doesNotContain(wrapped);
        }
        if (!file.getFileName().toString().matches("i_string_(utf16|UTF-16).*")) { // a whole object aside, rule book D3
            assertThat(framed(text + "\n" + GOOD).records()).endsWith(GOOD);
        }
    }

    /** Refused by the grammar, taken here: NaN and Infinity (D30), bad UTF-8 (D4), and what closes the wrapper early and opens it again. */
    private static boolean isTaken(Path file) {
        String name = file.getFileName().toString();
        return name.contains("NaN")
                || name.contains("nfinity")
                || name.contains("invalid_utf8")
                || name.contains("invalid-utf-8");
    }

    private static Framed framed(String source) {
        Framed framed = Framed.frame(source);
        assertThat(framed.fault()).isEmpty();
        Limits limits = new Limits(4, 16, 64, 8, 64);
        JsonFramer tiny = new JsonFramer(new FieldPaths(List.of()), Optional.empty(), limits);
        assertThat(Framed.frame(tiny, 0, Framed.latin1(source)).fault()).isEmpty();
        return framed;
    }
}
