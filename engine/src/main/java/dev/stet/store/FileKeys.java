package dev.stet.store;

import java.nio.charset.StandardCharsets;

/** Which keys can be paths. */
final class FileKeys {
    /** What common file systems allow a name, in bytes. */
    private static final int MAX_NAME = 255;

    private FileKeys() {}

    /** Whether the key, as a path, stays below the root and is spelt in the one way a listing spells it. */
    static boolean isRelative(String key) {
        return fault(key).isEmpty();
    }

    /** Why the key cannot be a path below a root; empty if it can. */
    static String fault(String key) {
        if (key.indexOf('\0') >= 0) {
            return "it holds a NUL";
        }
        for (String name : key.split("/", -1)) {
            if (name.isEmpty()) {
                return "it has an empty segment";
            }
            if (name.equals(".") || name.equals("..")) {
                return "it has the segment " + name;
            }
            if (name.length() > MAX_NAME / 4 && name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME) {
                return "it has a segment of more than " + MAX_NAME + " bytes";
            }
        }
        return "";
    }
}
