package dev.stet.config;

import dev.stet.route.TimeUnit;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the text of single settings, the same for YAML and for flags. Each method refuses what it cannot read, naming the value and what would be right. */
public final class SettingValues {
    private static final String SIZE_HELP = " is not a size; write bytes or for instance 512k, 64MiB, 1GB";
    private static final String SIZE_SUFFIXES = "kmgt";

    private SettingValues() {}

    public static TimeUnit timeUnit(String text, Setting setting) throws ConfigException {
        return oneOf(TimeUnit.values(), text, setting);
    }

    public static SinkCompression compression(String text, Setting setting) throws ConfigException {
        return oneOf(SinkCompression.values(), text, setting);
    }

    /** Format of a source. The ones known and not yet copied are refused here, so that nothing behind has to. */
    public static Format format(String text, Setting setting) throws ConfigException {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "json", "jsonl", "ndjson" -> Format.JSON;
            case "csv", "xml" ->
                throw setting.error(quote(text) + " comes later: this version of stet copies json only");
            default -> throw setting.error(quote(text) + " is not one of json, csv, xml");
        };
    }

    /** Format of a sink: records land as they are, so there is one choice. */
    public static void sinkFormat(String text, Setting setting) throws ConfigException {
        switch (text.toLowerCase(Locale.ROOT)) {
            case "json", "jsonl", "ndjson" -> {}
            default ->
                throw setting.error(quote(text)
                        + " is not possible: records land byte for byte, one a line; leave it out or write jsonl");
        }
    }

    /** Whether numbers in time folders are padded with zeros. */
    public static boolean padded(String text, Setting setting) throws ConfigException {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "zero" -> true;
            case "none" -> false;
            default -> throw setting.error(quote(text) + " is not one of zero, none");
        };
    }

    public static boolean flag(String text, Setting setting) throws ConfigException {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "1" -> true;
            case "false", "no", "0" -> false;
            default -> throw setting.error(quote(text) + " is not one of true, false");
        };
    }

    /** A whole number of seconds, zero included. */
    public static long seconds(String text, Setting setting) throws ConfigException {
        long value = wholeNumber(text);
        if (value < 0) {
            throw setting.error(quote(text) + " is not a whole number of seconds");
        }
        return value;
    }

    /** A number of threads. */
    public static int threads(String text, Setting setting) throws ConfigException {
        long value = wholeNumber(text);
        if (value < 1 || value > 10_000) {
            throw setting.error(quote(text) + " is not a number of threads (1 to 10000)");
        }
        return (int) value;
    }

    /**
     * Bytes, at least one: digits and a unit. {@code k, m, g, t} and {@code KiB, MiB, GiB, TiB} count by 1024; {@code KB, MB, GB, TB} by 1000; none
     * or {@code B} means bytes. Letter case does not matter.
     */
    public static long size(String text, Setting setting) throws ConfigException {
        String trimmed = text.strip();
        int digits = 0;
        while (digits < trimmed.length() && isDigit(trimmed.charAt(digits))) {
            digits++;
        }
        long value = wholeNumber(trimmed.substring(0, digits));
        long unit = sizeUnit(trimmed.substring(digits).strip().toLowerCase(Locale.ROOT));
        if (value < 1 || unit < 1 || value > Long.MAX_VALUE / unit) {
            throw setting.error(quote(text) + SIZE_HELP);
        }
        return value * unit;
    }

    private static long sizeUnit(String unit) {
        if (unit.isEmpty() || unit.equals("b")) {
            return 1;
        }
        int power = SIZE_SUFFIXES.indexOf(unit.charAt(0)) + 1;
        if (power == 0) {
            return -1;
        }
        return switch (unit.substring(1)) {
            case "", "i", "ib" -> 1L << (10 * power);
            case "b" -> (long) Math.pow(1000, power);
            default -> -1;
        };
    }

    /** Comma-separated field paths, in order; white space around them does not count. Empty text: none. */
    public static List<String> fields(String text, Setting setting) throws ConfigException {
        if (text.isBlank()) {
            return List.of();
        }
        List<String> fields = new ArrayList<>();
        for (int from = 0; from <= text.length(); ) {
            int comma = text.indexOf(',', from);
            int end = comma < 0 ? text.length() : comma;
            String field = text.substring(from, end).strip();
            if (field.isEmpty()) {
                throw setting.error(quote(text) + " has an empty field between commas");
            }
            fields.add(field);
            from = end + 1;
        }
        return List.copyOf(fields);
    }

    /** The URL of a server, without white space around it; empty text: none. */
    public static Optional<String> endpointUrl(String text, Setting setting) throws ConfigException {
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            URI url = new URI(text.strip());
            if (url.getHost() != null && List.of("http", "https").contains(url.getScheme())) {
                return Optional.of(text.strip());
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        throw setting.error(quote(text) + " is not a URL such as https://HOST:PORT");
    }

    /** Text put before a folder name as it is, so it may hold only what needs no encoding there. */
    public static String folderPrefix(String text, Setting setting) throws ConfigException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !isDigit(c) && "-._~".indexOf(c) < 0) {
                throw setting.error(quote(text) + " may hold only letters, digits and - . _ ~");
            }
        }
        return text;
    }

    /** What to do with records that lack a dimension: {@code quarantine} (empty), or the name of a default folder. */
    public static Optional<String> onMissing(String text, Setting setting) throws ConfigException {
        if (text.equals("quarantine")) {
            return Optional.empty();
        }
        boolean dots = text.equals(".") || text.equals("..");
        if (text.isEmpty() || dots || text.indexOf('/') >= 0 || text.chars().anyMatch(c -> c < ' ')) {
            throw setting.error(quote(text) + " is neither quarantine nor the name of one folder");
        }
        return Optional.of(text);
    }

    /** A value in a message: quoted, on one line, of bounded length. */
    public static String quote(String value) {
        String shown = value.length() > 200 ? value.substring(0, 200) + "…" : value;
        return '"' + shown.replace("\n", "\\n").replace("\r", "\\r") + '"';
    }

    private static <E extends Enum<E>> E oneOf(E[] values, String text, Setting setting) throws ConfigException {
        StringBuilder names = new StringBuilder();
        for (E value : values) {
            String name = value.name().toLowerCase(Locale.ROOT);
            if (name.equals(text.toLowerCase(Locale.ROOT))) {
                return value;
            }
            names.append(names.isEmpty() ? "" : ", ").append(name);
        }
        throw setting.error(quote(text) + " is not one of " + names);
    }

    /** The number, or -1 when the text is anything but digits that fit. */
    private static long wholeNumber(String text) {
        if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> isDigit((char) c))) {
            return -1;
        }
        return Long.parseLong(text);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
