package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stet.route.RoutingSettings;
import dev.stet.route.TimeUnit;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every file case of the rule book ({@code cases/}), through a whole run: by record, outcome and folder. A subclass says where source and sink lie. */
public abstract class RuleBookCases {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** Need source formats that are not there yet. */
    private static final Set<String> LATER = Set.of("open-47-csv", "open-48-xml");

    /** Where one case is laid out, run, and read back. */
    public interface Place {
        /** Puts an object into the source; where no object can have that key, the nearest that can. */
        void put(String key, byte[] content) throws Exception;

        RunCounters copy(RoutingSettings routing, Optional<String> recordFieldPath) throws Exception;

        /** All that lies in the sink, by key. */
        Map<String, byte[]> landed() throws Exception;
    }

    protected abstract Place place(String id) throws Exception;

    @TestFactory
    Stream<DynamicTest> every_record_ends_where_the_rule_book_says() throws Exception {
        NavigableMap<String, byte[]> files = files();
        return files.entrySet().stream()
                .filter(e -> e.getKey().startsWith("expected/"))
                .map(e -> JSON.readTree(e.getValue()))
                .filter(e -> e.has("records"))
                .filter(e -> !LATER.contains(e.get("id").asString()))
                .map(e -> dynamicTest(
                        e.get("id").asString() + ": " + e.get("title").asString(), () -> new Case(files, e).check()));
    }

    /** The cases' files by name, from a folder or a jar. */
    private static NavigableMap<String, byte[]> files() throws Exception {
        URI root = RuleBookCases.class.getResource("/cases").toURI();
        if (!root.getScheme().equals("jar")) {
            return read(Path.of(root));
        }
        String jar = root.getSchemeSpecificPart();
        try (FileSystem inside = FileSystems.newFileSystem(Path.of(URI.create(jar.substring(0, jar.indexOf('!')))))) {
            return read(inside.getPath("/cases"));
        }
    }

    private static NavigableMap<String, byte[]> read(Path root) throws IOException {
        NavigableMap<String, byte[]> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path f : all.filter(Files::isRegularFile).toList()) {
                found.put(root.relativize(f).toString(), Files.readAllBytes(f));
            }
        }
        return found;
    }

    private final class Case {
        private final String id;
        private final JsonNode expected;
        private final Map<String, byte[]> inputs = new TreeMap<>();
        private final Place place;
        /** File of {@link #inputs} to key. */
        private final Map<String, String> keys = new TreeMap<>();
        /** What lies in the sink after the run. */
        private Map<String, byte[]> sink = Map.of();

        Case(NavigableMap<String, byte[]> files, JsonNode expected) throws Exception {
            this.id = expected.get("id").asString();
            this.expected = expected;
            this.place = place(id);
            String folder = "inputs/" + id + "/";
            files.tailMap(folder).entrySet().stream()
                    .takeWhile(e -> e.getKey().startsWith(folder))
                    .forEach(e -> inputs.put(e.getKey().substring(folder.length()), e.getValue()));
            inputs.keySet().forEach(name -> keys.put(name, name));
            Optional<byte[]> objects = Optional.ofNullable(files.get("inputs/" + id + ".objects.json"));
            objects.ifPresent(json -> JSON.readTree(json)
                    .get("objects")
                    .forEach(
                            o -> keys.put(o.get("file").asString(), o.get("key").asString())));
        }

        void check() throws Exception {
            for (Map.Entry<String, String> e : keys.entrySet()) {
                place.put(e.getValue(), inputs.get(e.getKey()));
            }
            RunCounters counters = run();
            sink = place.landed();
            assertThat(landed()).as(id).isEqualTo(expectedLandings());
            checkQuarantine(counters);
            long skipped = records("skipped").count();
            long skippedWithoutMarkers = records("skipped")
                    .filter(r -> !r.get("object").asString().equals("marker"))
                    .count();
            assertThat(counters.objectsSkipped()).isBetween(skippedWithoutMarkers, skipped);
            assertThat(counters.recordsCopied()).isEqualTo(records("copied").count());
        }

        private Stream<JsonNode> records(String outcome) {
            return expected.get("records")
                    .valueStream()
                    .filter(r -> r.get("outcome").asString().equals(outcome));
        }

        private RunCounters run() throws Exception {
            JsonNode config = expected.get("config");
            RoutingSettings routing = new RoutingSettings(
                    fields(config, "namespace_fields"),
                    "",
                    List.of(new RoutingSettings.PartitionLevel(
                            fields(config, "batch_partition_fields"), Optional.empty())),
                    "p_",
                    fields(config, "batch_time_fields"),
                    TimeUnit.valueOf(config.get("batch_time_unit").asString().toUpperCase(Locale.ROOT)),
                    config.get("time_partition_prefix").asString(),
                    true,
                    Map.of(),
                    RoutingSettings.OnMissing.QUARANTINE);
            return place.copy(
                    routing, Optional.ofNullable(config.get("records_path")).map(JsonNode::asString));
        }

        private static List<String> fields(JsonNode config, String name) {
            return List.of(config.get(name).asString().split(",", -1));
        }

        private Map<String, Long> expectedLandings() {
            return records("copied")
                    .map(r -> r.get("path").asString() + " " + r.get("sha256").asString())
                    .collect(Collectors.groupingBy(k -> k, TreeMap::new, Collectors.counting()));
        }

        private Map<String, Long> landed() {
            Map<String, Long> found = new TreeMap<>();
            sink.forEach((name, bytes) -> {
                if (name.startsWith("_quarantine/")) {
                    return;
                }
                assertThat(name).doesNotContain("/.").matches(".*/apply-[0-9a-f]{16}-\\d{6}-\\d{4}\\.jsonl?");
                String path = name.substring(0, name.lastIndexOf('/') + 1);
                assertThat(bytes).endsWith((byte) '\n');
                for (byte[] record : name.endsWith(".jsonl") ? lines(bytes) : texts(bytes)) {
                    found.merge(path + " " + sha256(record), 1L, Long::sum);
                }
            });
            return found;
        }

        private void checkQuarantine(RunCounters counters) throws Exception {
            List<Item> items = items();
            for (Item i : items) {
                assertThat(keys.values()).as("source of " + i).contains(i.source());
            }
            List<JsonNode> loose = new ArrayList<>();
            for (JsonNode r : records("quarantined").toList()) {
                if (r.has("span")) {
                    loose.add(r);
                } else {
                    Item match = items.stream()
                            .filter(i -> matches(r, i))
                            .findFirst()
                            .orElseThrow(
                                    () -> new AssertionError(id + ": not in quarantine: " + r + " among " + items()));
                    items.remove(match);
                }
            }
            for (JsonNode r : loose) {
                List<Item> pieces = items.stream()
                        .filter(i ->
                                reasons(r).contains(i.reason()) && i.source().equals(keyOf(r)))
                        .sorted(Comparator.comparingLong(Item::offset))
                        .toList();
                String whole = pieces.stream().map(i -> squeeze(i.bytes())).collect(Collectors.joining());
                assertThat(whole).as(id).isEqualTo(squeeze(bytesOf(r)));
                items.removeAll(pieces);
            }
            assertThat(items).as(id + ": not expected in quarantine").isEmpty();
            long counted = counters.recordsQuarantined().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat(counted).isEqualTo(items().size());
        }

        private String keyOf(JsonNode record) {
            return keys.get(record.get("object").asString());
        }

        private boolean matches(JsonNode r, Item i) {
            if (!reasons(r).contains(i.reason()) || !i.source().equals(keyOf(r))) {
                return false;
            }
            return r.has("whole_object")
                    ? i.whole() && i.length() == r.get("length").asLong()
                    : !i.whole() && Arrays.equals(strip(i.bytes()), strip(bytesOf(r)));
        }

        private static Set<String> reasons(JsonNode r) {
            Set<String> all = new java.util.TreeSet<>(Set.of(r.get("reason").asString()));
            if (r.has("reason_any")) {
                r.get("reason_any").forEach(x -> all.add(x.asString()));
            }
            return all;
        }

        private List<Item> items() {
            List<Item> items = new ArrayList<>();
            sink.forEach((name, bytes) -> {
                if (name.startsWith("_quarantine/") && name.endsWith(".jsonl")) {
                    String folder = name.substring(0, name.lastIndexOf('/'));
                    for (byte[] line : lines(bytes)) {
                        items.add(Item.of(JSON.readTree(line), folder, sink));
                    }
                }
            });
            return items;
        }
    }

    /** A quarantine line, with its bytes wherever they are held. */
    private record Item(String reason, String source, long offset, long length, boolean whole, String latin1) {
        byte[] bytes() {
            return latin1.getBytes(StandardCharsets.ISO_8859_1);
        }

        static Item of(JsonNode n, String folder, Map<String, byte[]> sink) {
            byte[] bytes = {};
            if (n.has("text")) {
                bytes = n.get("text").asString().getBytes(StandardCharsets.UTF_8);
            } else if (n.has("base64")) {
                bytes = Base64.getDecoder().decode(n.get("base64").asString());
            } else if (n.has("held_in")) {
                int at = n.get("held_at").asInt();
                byte[] all = sink.get(folder + "/" + n.get("held_in").asString());
                bytes = Arrays.copyOfRange(all, at, at + n.get("length").asInt());
            }
            boolean whole = n.get("whole_object").asBoolean();
            long length = n.get("length").asLong();
            assertThat(folder).endsWith("/reason=" + n.get("reason").asString());
            assertThat(whole || bytes.length == length).as(n.toString()).isTrue();
            return new Item(
                    n.get("reason").asString(),
                    n.get("source").asString(),
                    n.get("offset").asLong(),
                    length,
                    whole,
                    new String(bytes, StandardCharsets.ISO_8859_1));
        }
    }

    private static byte[] bytesOf(JsonNode r) {
        return Base64.getDecoder().decode(r.get("bytes_b64").asString());
    }

    private static List<byte[]> lines(byte[] bytes) {
        List<byte[]> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines.add(Arrays.copyOfRange(bytes, from, i));
                from = i + 1;
            }
        }
        return lines;
    }

    /** Top-level texts: an object ends where its braces balance. */
    private static List<byte[]> texts(byte[] bytes) {
        List<byte[]> texts = new ArrayList<>();
        int depth = 0;
        boolean inString = false;
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            switch (bytes[i]) {
                case '\\' -> i += inString ? 1 : 0;
                case '"' -> inString = !inString;
                case '{', '[' -> depth += inString ? 0 : 1;
                case '}', ']' -> depth -= inString ? 0 : 1;
                default -> {}
            }
            if (depth == 0 && bytes[i] == '}') {
                assertThat(bytes[i + 1]).isEqualTo((byte) '\n');
                texts.add(Arrays.copyOfRange(bytes, from, i + 1));
                from = i + 2;
            }
        }
        return texts;
    }

    private static byte[] strip(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .replaceAll("^[ \t\r\n]+|[ \t\r\n]+$", "")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String squeeze(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[ \t\r\n]", "");
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
