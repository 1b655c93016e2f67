package dev.stet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocationsTest {
    private static final Setting SETTING = new Setting("SOURCE");

    private static Location parse(String text) throws ConfigException {
        return Locations.parse(text, Path.of("/base/here"), SETTING);
    }

    @ParameterizedTest
    @CsvSource({
        "raw, /base/here/raw, raw",
        "./raw/, /base/here/raw, raw",
        "raw/../other, /base/here/other, other",
        "., /base/here, here",
        ".., /base, base",
        "/, /, ''",
        "/a//b/./c/, /a/b/c, c",
        "file:///a/b, /a/b, b",
        "s3://lake, s3://lake/, lake",
        "s3://lake/, s3://lake/, lake",
        "s3://lake/raw/x, s3://lake/raw/x, x",
        "S3://lake/raw/x//, s3://lake/raw/x//, x",
        "a:b, /base/here/a:b, a:b"
    })
    void locations(String text, String described, String lastSegment) throws ConfigException {
        assertThat(parse(text).describe()).isEqualTo(described);
        assertThat(Locations.lastSegment(parse(text))).isEqualTo(lastSegment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s3://", "s3:///a", "s3://a b/c", "gs://bucket/x", "https://host/x"})
    void notLocations(String text) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> parse(text))
                .withMessageStartingWith("SOURCE: ");
    }

    @Test
    void parentOfALinkIsThatOfItsTarget(@TempDir Path dir) throws Exception {
        Path root = dir.toRealPath();
        Files.createDirectories(root.resolve("a/b"));
        Files.createSymbolicLink(root.resolve("link"), root.resolve("a/b"));
        assertThat(Locations.path("link/../x", root, SETTING)).isEqualTo(root.resolve("a/x"));
        assertThat(Locations.path("link/x", root, SETTING)).isEqualTo(root.resolve("link/x"));
    }

    @Nested
    class Apart {
        @TempDir
        Path dir;

        private void refused(Path source, Path sink, String message) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> LocationCheck.apart(new Location.Directory(source), new Location.Directory(sink)))
                    .withMessageContaining(message);
        }

        private void fine(Path source, Path sink) {
            assertThatCode(() -> LocationCheck.apart(new Location.Directory(source), new Location.Directory(sink)))
                    .doesNotThrowAnyException();
        }

        @Test
        void directories() throws Exception {
            Path raw = Files.createDirectories(dir.resolve("raw"));
            fine(raw, dir.resolve("lake"));
            fine(raw, dir.resolve("raw2/x"));
            fine(raw, dir.resolve("missing/deep/er"));
            refused(raw, raw, "the sink is the source");
            refused(raw, raw.resolve("not/yet/there"), "sink lies inside the source");
            refused(raw.resolve("x"), dir, "source lies inside the sink");
            refused(raw, dir.resolve("other/../raw/x"), "sink lies inside the source");
        }

        @Test
        void linksAreFollowed() throws Exception {
            Path raw = Files.createDirectories(dir.resolve("raw"));
            Files.createSymbolicLink(dir.resolve("alias"), raw);
            Files.createSymbolicLink(dir.resolve("dangling"), raw.resolve("later"));
            Files.createSymbolicLink(dir.resolve("loop"), dir.resolve("loop"));
            refused(raw, dir.resolve("alias"), "the sink is the source");
            refused(raw, dir.resolve("alias/new"), "sink lies inside the source");
            refused(dir.resolve("alias"), raw.resolve("new"), "sink lies inside the source");
            refused(raw, dir.resolve("dangling/x"), "sink lies inside the source");
            fine(raw, dir.resolve("loop/x"));
        }

        @Test
        void stateLiesOutsideBoth() throws Exception {
            Location source = new Location.Directory(Files.createDirectories(dir.resolve("raw")));
            Location sink = new Location.Directory(dir.resolve("lake"));
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> LocationCheck.outside("--state", dir.resolve("raw/.s"), source, sink))
                    .withMessageStartingWith("--state lies inside the source: ");
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> LocationCheck.outside("--state", dir.resolve("lake"), source, sink))
                    .withMessageStartingWith("--state lies inside the sink: ");
            assertThatCode(() -> LocationCheck.outside("--state", dir.resolve("state"), source, sink))
                    .doesNotThrowAnyException();
        }

        @ParameterizedTest
        @CsvSource({
            "raw/, landing, ''",
            "raw, raw2, inside the source",
            "raw/, raw2, ''",
            "raw/, raw, sink is the source",
            "raw/2021, raw, inside the sink",
            "raw/, raw/landing, inside the source",
            "'', landing, inside the source",
            "raw, '', inside the sink",
            "raw, raw, inside the source"
        })
        void prefixesOfOneBucket(String from, String to, String message) {
            Location source = new Location.S3("b", from, Optional.empty(), Optional.empty(), false);
            Location sink = new Location.S3("b", to, Optional.of("eu-west-1"), Optional.empty(), false);
            if (message.isEmpty()) {
                assertThatCode(() -> LocationCheck.apart(source, sink)).doesNotThrowAnyException();
            } else {
                assertThatExceptionOfType(ConfigException.class)
                        .isThrownBy(() -> LocationCheck.apart(source, sink))
                        .withMessageContaining(message);
            }
            Location elsewhere = new Location.S3("c", to, Optional.empty(), Optional.empty(), false);
            assertThatCode(() -> LocationCheck.apart(source, elsewhere)).doesNotThrowAnyException();
        }
    }
}
