package dev.stet.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class SinkReaderTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path sink;

    private final Tally truth = new Tally();
    private final Map<String, ByteArrayOutputStream> files = new TreeMap<>();

    /** A sink as it has to be, made from what the corpus tells while it writes. */
    @BeforeEach
    void land() throws IOException {
        CorpusOptions options = CorpusOptions.narrow(21, 60);
        Corpus.write(options, (key, stored) -> {}, truth);
        Corpus.write(options, (key, stored) -> {}, new Outcomes() {
            @Override
            public void lands(String source, long offset, byte[] record, String path) {
                String kind = Octets.contains(record, '\n') ? ".json" : ".jsonl";
                line(path + "/apply-1" + kind, record);
            }

            @Override
            public void setAside(String source, long offset, byte[] span, String reason) {
                Map<String, Object> item = item(source, reason, false);
                item.put("offset", offset);
                item.put("length", span.length);
                if (span.length > 2_000) {
                    ByteArrayOutputStream raw = file("_quarantine/reason=" + reason + "/apply-1.raw");
                    item.put("held_in", "apply-1.raw");
                    item.put("held_at", raw.size());
                    raw.writeBytes(span);
                } else if (isUtf8(span)) {
                    item.put("text", new String(span, UTF_8));
                } else {
                    item.put("base64", Base64.getEncoder().encodeToString(span));
                }
                line("_quarantine/reason=" + reason + "/apply-1.jsonl", JSON.writeValueAsBytes(item));
            }

            @Override
            public void wholeObject(String source, byte[] stored, String reason) {
                line(
                        "_quarantine/reason=" + reason + "/apply-1.jsonl",
                        JSON.writeValueAsBytes(item(source, reason, true)));
            }

            @Override
            public void object(String source, boolean copied) {}
        });
        for (Map.Entry<String, ByteArrayOutputStream> file : files.entrySet()) {
            Path path = sink.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue().toByteArray());
        }
    }

    private static Map<String, Object> item(String source, String reason, boolean whole) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("reason", reason);
        item.put("source", source);
        item.put("whole_object", whole);
        return item;
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private ByteArrayOutputStream file(String path) {
        return files.computeIfAbsent(path, key -> new ByteArrayOutputStream());
    }

    private void line(String path, byte[] bytes) {
        file(path).writeBytes(bytes);
        file(path).write('\n');
    }

    private java.util.List<String> differences() throws IOException {
        return SinkReader.read(SinkTree.of(sink)).differences(truth, 1);
    }

    private Path any(String suffix, int skip) {
        return files.keySet().stream()
                .filter(path -> path.endsWith(suffix) && !path.startsWith("_"))
                .skip(skip)
                .findFirst()
                .map(sink::resolve)
                .orElseThrow();
    }

    @Test
    void aRightSinkHasNoDifferences() throws IOException {
        assertThat(files.keySet()).anyMatch(path -> path.endsWith(".json")).anyMatch(path -> path.endsWith(".raw"));
        assertThat(differences()).isEmpty();
    }

    @Test
    void gzipMembersAreRead() throws IOException {
        for (String path : files.keySet()) {
            byte[] bytes = files.get(path).toByteArray();
            ByteArrayOutputStream members = new ByteArrayOutputStream();
            for (int from = 0; from < bytes.length; from += 5_000) {
                try (OutputStream gzip = new GZIPOutputStream(members)) {
                    gzip.write(bytes, from, Math.min(5_000, bytes.length - from));
                }
            }
            Files.delete(sink.resolve(path));
            Files.write(sink.resolve(path + ".gz"), members.toByteArray());
        }
        assertThat(differences()).isEmpty();
    }

    @Test
    void aChangedByteIsFound() throws IOException {
        Path file = any(".jsonl", 3);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThat(differences()).hasSize(1).first().asString().contains("expected");
    }

    @Test
    void aLostAndADoubledObjectAreFound() throws IOException {
        Path lost = any(".jsonl", 5);
        Path doubled = any(".json", 1);
        Files.delete(lost);
        Files.copy(doubled, doubled.resolveSibling("apply-2.json"));
        assertThat(differences())
                .hasSize(3)
                .anyMatch(line -> line.contains("none, expected"))
                .anyMatch(line -> line.contains("2 objects, expected at most 1"));
    }

    @Test
    void aMovedObjectIsFound() throws IOException {
        Path file = any(".jsonl", 7);
        Path other = file.getParent().resolveSibling("p_day=31");
        Files.move(file.getParent(), other);
        assertThat(differences()).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void leftoversAndTornObjectsAreFound() throws IOException {
        Files.createDirectory(sink.resolve(".stet-tmp"));
        Files.writeString(sink.resolve(".stet-tmp/part"), "x");
        Files.writeString(sink.resolve("stray.txt"), "x");
        Path torn = any(".jsonl", 9);
        byte[] bytes = Files.readAllBytes(torn);
        Files.write(torn, java.util.Arrays.copyOf(bytes, bytes.length - 1));
        assertThat(differences())
                .hasSize(3)
                .anyMatch(line -> line.contains("hidden file"))
                .anyMatch(line -> line.contains("stray file"))
                .anyMatch(line -> line.contains("no line end"));
    }

    @Test
    void aQuarantinedItemWithAWrongOriginIsFound() throws IOException {
        Path file = files.keySet().stream()
                .filter(path -> path.startsWith("_quarantine/reason=missing"))
                .findFirst()
                .map(sink::resolve)
                .orElseThrow();
        Files.writeString(file, Files.readString(file).replaceFirst("\"offset\":", "\"offset\":1"));
        assertThat(differences()).hasSize(1).first().asString().startsWith("origins of");
    }

    @Test
    void tallySurvivesAFile() throws IOException {
        Path file = sink.resolve("truth.tsv");
        truth.save(file, CorpusOptions.mixed(21, 1).flags());
        Tally loaded = Tally.load(file);
        assertThat(truth.differences(loaded)).isEmpty();
        assertThat(loaded.objects("copied")).isEqualTo(truth.objects("copied"));
        assertThat(Tally.flags(file))
                .containsExactlyElementsOf(CorpusOptions.mixed(21, 1).flags());
    }
}
