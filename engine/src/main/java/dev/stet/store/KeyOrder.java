package dev.stet.store;

import java.util.Comparator;

/** The order of S3 listings: keys compared as unsigned UTF-8 bytes. Differs from {@link String#compareTo} only beyond U+FFFF. */
public final class KeyOrder {
    public static final Comparator<String> UTF8 = KeyOrder::compare;

    private KeyOrder() {}

    /** Compares without encoding: surrogates sort above all other code units, as the four-byte forms they become do. */
    public static int compare(String a, String b) {
        int n = Math.min(a.length(), b.length());
        for (int i = 0; i < n; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean xs = Character.isSurrogate(x);
                boolean ys = Character.isSurrogate(y);
                return xs == ys ? x - y : xs ? 1 : -1;
            }
        }
        return a.length() - b.length();
    }
}
