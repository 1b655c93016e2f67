package dev.stet.stage;

/** JSON strings for the lines Stet itself writes. */
final class JsonText {
    private static final String HEX = "0123456789abcdef";

    private JsonText() {}

    /** Appends {@code s} in quotes. Lone surrogates are escaped, so that the result is always UTF-8. */
    static void quote(StringBuilder out, String s) {
        out.append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (Character.isHighSurrogate(c)
                            && i + 1 < s.length()
                            && Character.isLowSurrogate(s.charAt(i + 1))) {
                        out.append(c).append(s.charAt(++i));
                    } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
                        escape(out, c);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static void escape(StringBuilder out, char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt((c >> shift) & 15));
        }
    }
}
