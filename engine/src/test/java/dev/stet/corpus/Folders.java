package dev.stet.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.LocalDate;

/** Partition paths as the rule book spells them (D26, design §7). Written a second time on purpose: the engine's own is what is tested. */
final class Folders {
    private static final String SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private Folders() {}

    static String path(String namespace, String field, String value, long epochDay) {
        LocalDate day = LocalDate.ofEpochDay(epochDay);
        return "%s/p_%s=%s/p_year=%04d/p_month=%02d/p_day=%02d"
                .formatted(
                        namespace(namespace),
                        encode(field),
                        encode(value),
                        day.getYear(),
                        day.getMonthValue(),
                        day.getDayOfMonth());
    }

    static String namespace(String name) {
        if (name.equals("..")) {
            return "%2E%2E";
        }
        String encoded = encode(name);
        return switch (encoded.charAt(0)) {
            case '.' -> "%2E" + encoded.substring(1);
            case '_' -> "%5F" + encoded.substring(1);
            default -> encoded;
        };
    }

    static String encode(String value) {
        StringBuilder out = new StringBuilder();
        for (byte b : value.getBytes(UTF_8)) {
            if (SAFE.indexOf(b) >= 0) {
                out.append((char) b);
            } else {
                out.append('%').append(String.format("%02X", b & 0xff));
            }
        }
        return out.toString();
    }
}
