package dev.stet.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.record.FieldValues.Kind;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Random sources, from seeds; Jackson tells what is right. */
class FramingPropertyTest {
    private static final List<String> PATHS = List.of(
            "event_type", "tenant_id", "a.b", "a.a.tenant_id", "b", "k\u00E9y.c", "a-key-of-more-than-sixteen-bytes");
    private static final Limits TINY = new Limits(7, 40, 200, 150, 64);
    private static final JsonMapper JACKSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final JsonNode MISSING = JACKSON.missingNode();

    private static JsonFramer framer(Limits limits) {
        return new JsonFramer(new FieldPaths(PATHS), Optional.empty(), limits);
    }

    private static Framed frame(JsonFramer framer, String source) {
        return Framed.frame(framer, PATHS.size(), Framed.latin1(source));
    }

    private static Framed frameInChunks(JsonFramer framer, String source, Random sizes, int most) {
        byte[] bytes = Framed.latin1(source);
        return Framed.frame(framer, PATHS.size(), bytes, new Chunks(bytes, sizes, most));
    }

    /** Records with any framing between them. */
    private static String source(RandomJson json, List<String> records) {
        StringBuilder source = new StringBuilder();
        int groups = 1 + json.random().nextInt(6);
        for (int i = 0; i < groups; i++) {
            boolean array = json.random().nextInt(4) == 0;
            int size = json.random().nextInt(5);
            source.append(array ? "[" : "");
            for (int k = 0; k < size; k++) {
                String record = json.object(4);
                records.add(record);
                source.append(array && k > 0 ? "," : "")
                        .append(json.space())
                        .append(record)
                        .append(json.space());
            }
            source.append(array ? "]" : "").append(json.space());
        }
        return source.toString();
    }

    @Test
    void valid_sources_give_their_records_and_the_values_jackson_finds() {
        JsonFramer framer = framer(Limits.DEFAULT);
        for (int seed = 0; seed < 3_000; seed++) {
            List<String> records = new ArrayList<>();
            Framed framed = frame(framer, source(new RandomJson(seed, false), records));

            assertThat(framed.fault()).as("seed %d", seed).isEmpty();
            assertThat(framed.records()).as("seed %d", seed).isEqualTo(records);
            assertThat(framed.items()).as("seed %d", seed).hasSameSizeAs(records);
            for (Framed.Item item : framed.items()) {
                assertFields(item);
                assertThat(item.multiLine()).isEqualTo(item.text().contains("\n"));
            }
        }
    }

    private static void assertFields(Framed.Item item) {
        JsonNode tree = JACKSON.readTree(Framed.latin1(item.text()));
        for (int i = 0; i < PATHS.size(); i++) {
            Framed.Value value = item.fields().get(i);
            JsonNode node = tree;
            for (String step : PATHS.get(i).split("\\.", -1)) {
                node = node.isObject() && node.has(step) ? node.get(step) : MISSING;
            }
            assertThat(value.kind()).as(PATHS.get(i) + " in " + item.text()).isEqualTo(kind(node));
            assertThat(value.conflicting()).isFalse();
            if (value.kind() == Kind.STRING) {
                assertThat(value.escaped()).isEqualTo(value.text().contains("\\"));
                assertThat(JACKSON.readTree(Framed.latin1('"' + value.text() + '"')))
                        .isEqualTo(node);
            } else if (!value.text().isEmpty()) {
                assertThat(JACKSON.readTree(value.text())).isEqualTo(node);
            }
        }
    }

    private static Kind kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case MISSING -> Kind.ABSENT;
            case NULL -> Kind.NULL;
            case STRING -> Kind.STRING;
            case NUMBER -> Kind.NUMBER;
            case BOOLEAN -> Kind.BOOLEAN;
            case OBJECT -> Kind.OBJECT;
            case ARRAY -> Kind.ARRAY;
            case BINARY, POJO -> throw new AssertionError(node);
        };
    }

    @Test
    void a_tiny_window_gives_the_same_records_and_values() {
        JsonFramer whole = framer(Limits.DEFAULT);
        JsonFramer tiny = framer(TINY);
        int inPieces = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            String source = source(new RandomJson(seed, false), new ArrayList<>());
            Framed framed = frame(tiny, source);

            assertThat(framed.fault()).as("seed %d", seed).isEmpty();
            assertThat(framed.items().stream().map(Framed.Item::withoutPieces))
                    .as("seed %d", seed)
                    .isEqualTo(frame(whole, source).items());
            inPieces +=
                    (int) framed.items().stream().filter(Framed.Item::inPieces).count();
            assertThat(framed.items())
                    .allMatch(item -> item.inPieces() == item.text().length() > TINY.longSpan());
        }
        assertThat(inPieces).isGreaterThan(500);
    }

    @Test
    void stretches_of_any_source_give_what_one_call_gives() {
        int stretches = 0;
        for (Limits limits : List.of(new Limits(1, 1, 40, 8, 2), new Limits(7, 40, 200, 150, 64))) {
            for (int seed = 0; seed < 1_500; seed++) {
                RandomJson json = new RandomJson(seed, false);
                String source = source(json, new ArrayList<>());
                if (seed % 2 == 0) {
                    source = mutate(source, json.random(), 1 + json.random().nextInt(4));
                }
                if (isUtf16(source)) {
                    continue;
                }
                Framed once = frame(framer(limits), source);
                int[] framers = {0};
                Framed parts = Framed.inStretches(
                        () -> {
                            framers[0]++;
                            return framer(limits);
                        },
                        PATHS.size(),
                        Framed.latin1(source),
                        new Random(seed));
                assertThat(parts).as("seed %d: %s", seed, source).isEqualTo(once);
                stretches += framers[0] - 1;
            }
        }
        assertThat(stretches).isGreaterThan(3_000);
    }

    @Test
    void any_split_of_any_source_gives_the_same() {
        Random sizes = new Random(1);
        for (Limits limits : List.of(Limits.DEFAULT, TINY, new Limits(1, 1, 40, 8, 2), new Limits(64, 64, 80, 60, 5))) {
            JsonFramer framer = framer(limits);
            for (int seed = 0; seed < 700; seed++) {
                RandomJson json = new RandomJson(seed, false);
                String source = source(json, new ArrayList<>());
                if (seed % 2 == 0) {
                    source = mutate(source, json.random(), 1 + json.random().nextInt(4));
                }
                if (isUtf16(source)) {
                    continue;
                }
                Framed once = frame(framer, source);
                assertThat(once.fault()).isEmpty();
                assertThat(frameInChunks(framer, source, sizes, 1))
                        .as("seed %d", seed)
                        .isEqualTo(once);
                assertThat(frameInChunks(framer, source, sizes, 9))
                        .as("seed %d", seed)
                        .isEqualTo(once);
                assertThat(frameInChunks(framer, source, sizes, 300))
                        .as("seed %d", seed)
                        .isEqualTo(once);
            }
        }
    }

    @Test
    void damage_costs_no_byte_and_no_later_line() {
        JsonFramer framer = framer(Limits.DEFAULT);
        JsonFramer tiny = framer(TINY);
        String good = "{\"good\":\"line\"}";
        for (int seed = 0; seed < 6_000; seed++) {
            RandomJson json = new RandomJson(seed, false);
            String source = mutate(
                            source(json, new ArrayList<>()),
                            json.random(),
                            1 + json.random().nextInt(8)) + "\n" + good + "\n";
            if (isUtf16(source)) {
                continue;
            }
            Framed framed = frame(framer, source);
            assertThat(framed.fault()).as("seed %d", seed).isEmpty();
            assertThat(framed.records()).as("seed %d: %s", seed, source).endsWith(good);
            assertThat(frame(tiny, source).fault()).as("seed %d", seed).isEmpty();
            assertNothingLeaks(framed);
        }
    }

    /** What is taken for a record is one, and what is taken for framing holds nothing else. */
    private static void assertNothingLeaks(Framed framed) {
        assertThat(framed.framing()).matches("[ \\t\\r\\n,\\[\\]\u00EF\u00BB\u00BF]*");
        for (String record : framed.records()) {
            assertThat(record).startsWith("{").endsWith("}");
        }
    }

    @Test
    void jackson_agrees_on_what_is_valid() {
        JsonFramer framer = framer(Limits.DEFAULT);
        int valid = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            RandomJson json = new RandomJson(seed, true);
            String source =
                    mutate(json.object(3), json.random(), 1 + json.random().nextInt(2));
            if (isUtf16(source)) {
                continue;
            }
            Framed framed = frame(framer, source);
            boolean taken = framed.items().size() == 1
                    && framed.records().size() == 1
                    && framed.framing().isBlank();
            assertThat(taken).as("seed %d: %s", seed, source).isEqualTo(isOneObject(source));
            valid += taken ? 1 : 0;
        }
        assertThat(valid).isBetween(2_000, 18_000);
    }

    private static boolean isOneObject(String source) {
        try (JsonParser parser = JACKSON.createParser(source)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            parser.skipChildren();
            return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }

    /** Flips, cuts and inserts, of the bytes most likely to matter. */
    private static String mutate(String source, Random random, int times) {
        String odd = "{}[]\",:\\ \n\r\t\0u0e.-+1truefalsn/x\u001F";
        StringBuilder text = new StringBuilder(source);
        for (int i = 0; i < times; i++) {
            int at = random.nextInt(text.length() + 1);
            char c = odd.charAt(random.nextInt(odd.length()));
            switch (random.nextInt(3)) {
                case 0 -> text.insert(at, c);
                case 1 ->
                    text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(random.nextInt(5) == 0 ? 40 : 2)));
                default ->
                    text.replace(Math.min(at, Math.max(0, text.length() - 1)), Math.min(at + 1, text.length()), "" + c);
            }
        }
        return text.toString();
    }

    private static boolean isUtf16(String source) {
        try {
            Encodings.check(openWindow(source));
            return false;
        } catch (WholeObjectException e) {
            return true;
        } catch (java.io.IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Window openWindow(String source) {
        Window window = new Window(Limits.DEFAULT, to -> {});
        window.open(new ByteArrayInputStream(Framed.latin1(source)), 0);
        return window;
    }

    @Test
    void the_cursor_unescapes_as_jackson_does() {
        for (int seed = 0; seed < 2_000; seed++) {
            String value = new RandomJson(seed, false).value(0);
            if (value.startsWith("\"")) {
                byte[] text = Framed.latin1(value);
                byte[] name = JACKSON.readTree(text).stringValue().getBytes(UTF_8);
                assertThat(new TokenCursor()
                                .over(text, 1, text.length - 1, true)
                                .spells(name))
                        .as(value)
                        .isTrue();
            }
        }
    }
}
