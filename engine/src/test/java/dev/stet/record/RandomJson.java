package dev.stet.record;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;

/** Valid JSON of every odd shape, from a seed; one char a byte. Keys of an object are distinct. */
final class RandomJson {
    private static final String[] KEYS = {
        "a", "b", "c", "a.b", "", "event_type", "tenant_id", "a-key-of-more-than-sixteen-bytes", "k\u00C3\u00A9y"
    };
    private static final String[] SPACES = {"", "", "", "", " ", "  ", "\t", "\r\n", "\n      ", "                 "};
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "1",
        "42",
        "-17",
        "0.5",
        "10.25",
        "1e5",
        "2E-3",
        "3.5e+10",
        "1700000000000",
        "-123456789012345678901234567890",
        "0.000"
    };
    private static final String[] WORDS = {"true", "false", "null"};
    private static final String[] ESCAPES = {
        "\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\u00e9", "\\ud83d\\ude9a", "\\b\\f\\r\\t", "\\u0000"
    };

    private final Random random;
    private final boolean ascii;

    RandomJson(long seed, boolean ascii) {
        this.random = new Random(seed);
        this.ascii = ascii;
    }

    Random random() {
        return random;
    }

    String object(int depth) {
        StringBuilder out = new StringBuilder("{").append(space());
        Set<String> used = new LinkedHashSet<>();
        int size = random.nextInt(6);
        for (int i = 0; i < size; i++) {
            String key = key();
            if (used.add(key)) {
                out.append(used.size() == 1 ? "" : "," + space())
                        .append('"')
                        .append(disguised(key))
                        .append('"')
                        .append(space())
                        .append(':')
                        .append(space())
                        .append(value(depth - 1))
                        .append(space());
            }
        }
        return out.append('}').toString();
    }

    String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0, 1 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 2 -> WORDS[random.nextInt(WORDS.length)];
            case 3, 4, 5 -> '"' + text(random.nextInt(random.nextInt(10) == 0 ? 90 : 12)) + '"';
            case 6 -> array(depth);
            default -> object(depth);
        };
    }

    String space() {
        return SPACES[random.nextInt(SPACES.length)];
    }

    private String array(int depth) {
        StringBuilder out = new StringBuilder("[").append(space());
        int size = random.nextInt(5);
        for (int i = 0; i < size; i++) {
            out.append(i == 0 ? "" : ",")
                    .append(space())
                    .append(value(depth - 1))
                    .append(space());
        }
        return out.append(']').toString();
    }

    private String key() {
        String key = KEYS[random.nextInt(KEYS.length)];
        return ascii ? key.replace("\u00C3\u00A9", "e") : key;
    }

    /** The same key with one ASCII letter escaped, now and then. */
    private String disguised(String key) {
        if (key.isEmpty() || random.nextInt(4) != 0) {
            return key;
        }
        int at = random.nextInt(key.length());
        char c = key.charAt(at);
        return c >= 0x80 ? key : key.substring(0, at) + "\\u%04x".formatted((int) c) + key.substring(at + 1);
    }

    private String text(int length) {
        StringBuilder out = new StringBuilder();
        while (out.length() < length) {
            switch (random.nextInt(8)) {
                case 0 -> out.append(ESCAPES[random.nextInt(ESCAPES.length)]);
                case 1 -> out.append(ascii ? "\u007F" : "\u00E2\u0082\u00AC");
                case 2 -> out.append("{}[],:");
                default -> out.append((char) ('#' + random.nextInt('[' - '#'))).append(' ');
            }
        }
        return out.toString();
    }
}
