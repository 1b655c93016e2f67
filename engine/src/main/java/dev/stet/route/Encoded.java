package dev.stet.route;

import java.nio.charset.StandardCharsets;

/** Folder names that the settings fix, encoded like those of records (rule book D26). */
final class Encoded {
    /** What Hive and its kin write for "no value". Comes out as it is, even as a namespace, where any other leading underscore is masked. */
    static final String HIVE_DEFAULT = "__HIVE_DEFAULT_PARTITION__";

    private Encoded() {}

    static byte[] ascii(String encoded) {
        return encoded.getBytes(StandardCharsets.US_ASCII);
    }

    /** A text in its encoded form. */
    static String text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        byte[] encoded = new byte[3 * utf8.length];
        int length = 0;
        for (byte value : utf8) {
            if (PercentEncoding.isPlain(value)) {
                encoded[length++] = value;
            } else {
                length = PercentEncoding.triple(value, encoded, length);
            }
        }
        return new String(encoded, 0, length, StandardCharsets.US_ASCII);
    }

    /** A namespace as a folder, hidden ones masked; empty for the empty namespace. */
    static String namespace(String name) {
        String encoded = text(name);
        if (encoded.equals("..")) {
            return "%2E%2E";
        }
        return switch (encoded.isEmpty() ? 0 : encoded.charAt(0)) {
            case '.' -> "%2E" + encoded.substring(1);
            case '_' -> "%5F" + encoded.substring(1);
            default -> encoded;
        };
    }

    /** The folder of records that have no namespace; empty: none. */
    static String missingNamespace(String name) {
        return name.equals(HIVE_DEFAULT) ? name : namespace(name);
    }

    /** A folder every byte of which is known beforehand. */
    static byte[] folder(String encoded) {
        if (encoded.length() > PathBuffer.MAX_FOLDER) {
            throw new IllegalArgumentException("a folder name has " + encoded.length() + " bytes, more than "
                    + PathBuffer.MAX_FOLDER + ": " + encoded);
        }
        return ascii(encoded);
    }
}
