package dev.stet.corpus;

/** JSON strings as careless and careful writers write them. */
final class Text {
    private static final String WORDS = words();

    private Text() {}

    /** The JSON string of {@code value}, escaped as much as chance has it. */
    static Json.Raw string(String value, Dice dice) {
        double style = dice.fraction();
        double optional = style < 0.9 ? 0 : style < 0.97 ? 0.2 : 1;
        boolean asciiOnly = dice.chance(0.3);
        return new Json.Raw(quote(value, optional, asciiOnly, dice));
    }

    /** The JSON string of {@code value} with no escapes but those it needs. */
    static Json.Raw plain(String value) {
        return new Json.Raw(quote(value, 0, false, new Dice(0)));
    }

    /** A key, in rare cases with characters escaped that need not be. */
    static String key(String name, Dice dice) {
        return dice.chance(0.02) ? quote(name, 0.3, false, dice) : quote(name, 0, false, dice);
    }

    private static String quote(String value, double optional, boolean asciiOnly, Dice dice) {
        StringBuilder out = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean mustHide = c < 0x20 || c == '"' || c == '\\';
            if (!mustHide && (c < 0x80 || !asciiOnly) && (optional == 0 || !dice.chance(optional))) {
                if (c < 0x80) {
                    out.append(c);
                } else if (Character.isHighSurrogate(c) && i + 1 < value.length()) {
                    out.append(Octets.utf8(value.substring(i, i + 2)));
                    i++;
                } else {
                    out.append(Octets.utf8(String.valueOf(c)));
                }
            } else {
                escape(out, c, dice);
                if (Character.isHighSurrogate(c) && i + 1 < value.length()) {
                    escape(out, value.charAt(++i), dice);
                }
            }
        }
        return out.append('"').toString();
    }

    private static void escape(StringBuilder out, char c, Dice dice) {
        int short_ = "\"\\/\b\f\n\r\t".indexOf(c);
        if (short_ >= 0 && dice.chance(0.7)) {
            out.append('\\').append("\"\\/bfnrt".charAt(short_));
        } else {
            out.append(String.format(dice.chance(0.5) ? "\\u%04x" : "\\u%04X", (int) c));
        }
    }

    /** Words without quotes, {@code length} bytes. */
    static String noise(int length, Dice dice) {
        if (length < WORDS.length() / 2) {
            int from = dice.below(WORDS.length() - length);
            return WORDS.substring(from, from + length);
        }
        StringBuilder out = new StringBuilder(length);
        while (out.length() < length) {
            int piece = Math.min(length - out.length(), WORDS.length() / 4);
            out.append(noise(piece, dice));
        }
        return out.toString();
    }

    private static String words() {
        Dice dice = new Dice(20211005);
        StringBuilder out = new StringBuilder();
        while (out.length() < 1 << 17) {
            for (int i = dice.between(2, 9); i > 0; i--) {
                out.append((char) ('a' + dice.below(26)));
            }
            out.append(dice.chance(0.1) ? ", " : " ");
        }
        return out.toString();
    }
}
