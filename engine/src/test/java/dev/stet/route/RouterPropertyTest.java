package dev.stet.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The router against the plainest reading of the rule book, on random records. */
class RouterPropertyTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> NAMESPACE = List.of("ns", "x.ns");
    private static final List<String> PARTITION = List.of("x.y.t", "x.t", "t");
    private static final List<String> TIME = List.of("at", "x.at");

    @Test
    void aRandomRecordGoesWhereThePlainReadingOfTheRulesPutsIt() {
        var settings = new Settings()
                .namespaceFields(NAMESPACE.toArray(String[]::new))
                .levels(Settings.level(PARTITION.toArray(String[]::new)))
                .timeFields(TIME.toArray(String[]::new));
        var router = new Router(settings.build());
        var random = new Random(11);
        int routed = 0;
        for (int i = 0; i < 4_000; i++) {
            String json = record(random);
            String expected = oracle(JSON.readTree(json));
            assertThat(Settings.text(router.route(RawRecord.of(json, router.paths()))))
                    .as(json)
                    .isEqualTo(expected);
            routed += expected.startsWith("!") ? 0 : 1;
        }
        assertThat(routed).isBetween(800, 3_200);
    }

    @Test
    void anEncodedValueDecodesToItselfAndHoldsOnlySafeBytes() {
        var router = new Router(new Settings()
                .fixedNamespace("")
                .levels(Settings.level("v"))
                .timeFields()
                .build());
        var random = new Random(12);
        for (int i = 0; i < 4_000; i++) {
            String value = text(random, 1 + random.nextInt(20));
            var result = router.route(RawRecord.of("{\"v\":" + quote(value, random) + "}", router.paths()));
            assertThat(result.routed()).isEqualTo(isEncodable(value));
            if (result.routed()) {
                String folder = Settings.text(result);
                assertThat(folder).matches("p_v=[A-Za-z0-9._~%-]+");
                assertThat(URLDecoder.decode(folder.substring(4), UTF_8)).isEqualTo(value);
            }
        }
    }

    private static String oracle(JsonNode root) {
        var namespace = first(root, NAMESPACE);
        if (namespace.isEmpty()) {
            return "!missing_namespace";
        }
        if (!isUsable(at(root, namespace))) {
            return "!bad_namespace";
        }
        var partition = first(root, PARTITION);
        if (partition.isEmpty()) {
            return "!missing_partition";
        }
        if (!isUsable(at(root, partition))) {
            return "!bad_partition";
        }
        var time = first(root, TIME);
        if (time.isEmpty()) {
            return "!missing_time";
        }
        var at = at(root, time);
        boolean day = at.isString() && at.stringValue().matches("20[0-9]{2}-0[1-9]-[01][1-9]");
        return day
                ? mask(encode(at(root, namespace).asString())) + "/p_" + partition + "="
                        + encode(at(root, partition).asString()) + "/p_year="
                        + at.stringValue().substring(0, 4) + "/p_month="
                        + at.stringValue().substring(5, 7) + "/p_day="
                        + at.stringValue().substring(8)
                : "!bad_time";
    }

    private static String first(JsonNode root, List<String> paths) {
        return paths.stream()
                .filter(path ->
                        !at(root, path).isMissingNode() && !at(root, path).isNull())
                .filter(path -> !(at(root, path).isString()
                        && at(root, path).stringValue().isEmpty()))
                .findFirst()
                .orElse("");
    }

    private static JsonNode at(JsonNode root, String path) {
        var node = root;
        for (String name : path.split("\\.", -1)) {
            node = node.path(name);
        }
        return node;
    }

    private static boolean isUsable(JsonNode node) {
        return node.isNumber() || (node.isString() && isEncodable(node.stringValue()));
    }

    private static boolean isEncodable(String text) {
        try {
            UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static String encode(String text) {
        return HexFormat.of()
                .withUpperCase()
                .formatHex(text.getBytes(UTF_8))
                .replaceAll("(..)", "%$1")
                .transform(RouterPropertyTest::plain);
    }

    private static String plain(String encoded) {
        return java.util.regex.Pattern.compile("%(..)").matcher(encoded).replaceAll(match -> {
            String one = Character.toString(Integer.parseInt(match.group(1), 16));
            return one.matches("[A-Za-z0-9._~-]") ? one : match.group();
        });
    }

    private static String mask(String folder) {
        return folder.equals("..")
                ? "%2E%2E"
                : folder.startsWith(".")
                        ? "%2E" + folder.substring(1)
                        : folder.startsWith("_") ? "%5F" + folder.substring(1) : folder;
    }

    private static String record(Random random) {
        return fields(
                random,
                List.of("ns", "t", "at"),
                ",\"x\":"
                        + fields(
                                random, List.of("t", "ns", "at", "y.t"), ",\"y\":" + fields(random, List.of("t"), "")));
    }

    private static String fields(Random random, List<String> names, String rest) {
        String some = names.stream()
                .filter(name -> !name.contains(".") && random.nextInt(3) > 0)
                .map(name -> "\"" + name + "\":" + (name.equals("at") ? time(random) : value(random)))
                .collect(Collectors.joining(","));
        String all = some.isEmpty() ? rest.replaceFirst("^,", "") : some + rest;
        return "{" + all + "}";
    }

    private static String time(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> "null";
            case 1 -> "\"\"";
            case 2 -> "\"soon\"";
            default ->
                quote(
                        "20%02d-0%d-%d%d"
                                .formatted(
                                        random.nextInt(100),
                                        1 + random.nextInt(9),
                                        random.nextInt(2),
                                        1 + random.nextInt(9)),
                        random);
        };
    }

    private static String value(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> "null";
            case 1 -> "\"\"";
            case 2 -> random.nextBoolean() ? "true" : "[1,{\"t\":2}]";
            case 3 -> "{\"t\":\"inner\"}";
            case 4, 5 -> Integer.toString(random.nextInt(-1000, 1000));
            case 6 -> quote(List.of(".", "..", "...", "_", "__x", ".x", "-").get(random.nextInt(7)), random);
            default -> quote(text(random, 1 + random.nextInt(8)), random);
        };
    }

    private static String text(Random random, int length) {
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            switch (random.nextInt(40)) {
                case 0 -> text.append((char) random.nextInt(0x20));
                case 1 -> text.append((char) (0x80 + random.nextInt(0x780)));
                case 2 -> text.append((char) (0x800 + random.nextInt(0xD000)));
                case 3 -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
                case 4 -> text.append((char) (0xD800 + random.nextInt(random.nextInt(10) == 0 ? 0x800 : 1)));
                default -> text.append((char) (0x20 + random.nextInt(0x5F)));
            }
        }
        return isEncodable(text.toString()) || random.nextInt(3) == 0 ? text.toString() : "plain";
    }

    /** A JSON string, with escapes where it must have them and here and there where it need not. */
    private static String quote(String text, Random random) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            boolean pair = Character.isHighSurrogate(next)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            boolean must = next < 0x20 || next == '"' || next == '\\' || (Character.isSurrogate(next) && !pair);
            if (must || random.nextInt(10) == 0) {
                quoted.append("\\u%04x".formatted((int) next));
                if (pair) {
                    quoted.append("\\u%04X".formatted((int) text.charAt(++i)));
                }
            } else {
                quoted.append(next);
                if (pair) {
                    quoted.append(text.charAt(++i));
                }
            }
        }
        return quoted.append('"').toString();
    }
}
