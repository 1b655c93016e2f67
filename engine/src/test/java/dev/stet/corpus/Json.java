package dev.stet.corpus;

import java.util.List;

/** A JSON value to be written, as {@link Octets}. */
sealed interface Json {
    /** A scalar, or anything else, exactly as it is to appear. */
    record Raw(String octets) implements Json {}

    record Obj(List<Member> members) implements Json {}

    record Arr(List<Json> items) implements Json {}

    /**
     * One member of an object.
     *
     * @param key with its quotes and escapes
     */
    record Member(String key, Json value) {}

    /** White space within a record. */
    enum Style {
        COMPACT,
        /** One space after colons and commas. */
        SPACED,
        /** Tabs, spaces and carriage returns here and there, on one line. */
        ODD,
        /** Over many lines, indented. */
        PRETTY,
        PRETTY_CRLF
    }

    /** Appends {@code value} to {@code out}. */
    static void write(StringBuilder out, Json value, Style style, Dice dice) {
        new Writer(out, style, dice).value(value, 0);
    }

    /** Writes one value. */
    final class Writer {
        private final StringBuilder out;
        private final Style style;
        private final Dice dice;

        private Writer(StringBuilder out, Style style, Dice dice) {
            this.out = out;
            this.style = style;
            this.dice = dice;
        }

        private void value(Json value, int depth) {
            switch (value) {
                case Raw raw -> out.append(raw.octets());
                case Obj object -> object(object, depth);
                case Arr array -> array(array, depth);
            }
        }

        private void object(Obj object, int depth) {
            out.append('{');
            boolean first = true;
            for (Member member : object.members()) {
                next(first, depth + 1);
                first = false;
                out.append(member.key());
                odd();
                out.append(':');
                after();
                value(member.value(), depth + 1);
            }
            close(first, depth);
            out.append('}');
        }

        private void array(Arr array, int depth) {
            out.append('[');
            boolean first = true;
            for (Json item : array.items()) {
                next(first, depth + 1);
                first = false;
                value(item, depth + 1);
            }
            close(first, depth);
            out.append(']');
        }

        private void next(boolean first, int depth) {
            if (!first) {
                odd();
                out.append(',');
            }
            if (pretty()) {
                line(depth);
            } else if (first) {
                odd();
            } else {
                after();
            }
        }

        private void close(boolean empty, int depth) {
            if (pretty() && !empty) {
                line(depth);
            } else {
                odd();
            }
        }

        private boolean pretty() {
            return style == Style.PRETTY || style == Style.PRETTY_CRLF;
        }

        private void line(int depth) {
            out.append(style == Style.PRETTY ? "\n" : "\r\n").append("  ".repeat(depth));
        }

        private void after() {
            if (style == Style.ODD) {
                odd();
            } else if (style != Style.COMPACT) {
                out.append(' ');
            }
        }

        private void odd() {
            if (style == Style.ODD && dice.chance(0.3)) {
                out.append(dice.pick(" ", "  ", "\t", "\r", " \t "));
            }
        }
    }
}
