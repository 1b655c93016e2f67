package dev.stet.corpus;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;

import dev.stet.corpus.RecordMaker.Made;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes the objects of an archive, one at a time. */
final class ObjectMaker {
    /** An object as it lies in the source. */
    static final class SourceObject {
        private final String key;
        private final byte[] stored;
        private final long plainLength;

        private SourceObject(String key, byte[] stored, long plainLength) {
            this.key = key;
            this.stored = stored;
            this.plainLength = plainLength;
        }

        String key() {
            return key;
        }

        byte[] stored() {
            return stored;
        }

        long plainLength() {
            return plainLength;
        }
    }

    private static final byte[] BOM = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final CorpusOptions options;
    private final Outcomes outcomes;
    private final RecordMaker records;
    private final SourceKeys keys;
    private final List<Framing> framings;

    ObjectMaker(CorpusOptions options, Outcomes outcomes) {
        this.options = options;
        this.outcomes = outcomes;
        records = new RecordMaker(options);
        keys = new SourceKeys(options);
        framings = options.framings().stream().sorted().toList();
    }

    /** Makes object number {@code index} and tells its outcomes. */
    SourceObject make(int index) throws IOException {
        Dice dice = new Dice(options.seed(), 2, index, options.revision());
        Dice fixed = new Dice(options.seed(), 3, index);
        int day = fixed.below(options.days());
        boolean gzip = fixed.chance(options.gzipShare());
        String key = keys.key(index, day, gzip);
        double kind = dice.fraction();
        if (kind < options.wholeFaults()) {
            return wholeFault(key, day, dice);
        }
        if (kind < options.wholeFaults() + options.empties()) {
            return empty(key, gzip, dice);
        }
        Accident accident = dice.chance(options.accidents()) ? dice.pick(List.of(Accident.values())) : Accident.NONE;
        if (accident == Accident.TRAILING_GARBAGE && !gzip) {
            accident = Accident.DAMAGE;
        }
        Layout layout = new Layout(dice, dice.pick(framings), accident);
        layout.fill(day, targetLength(dice));
        byte[] plain = layout.bytes();
        layout.tell(key, plain, outcomes);
        byte[] stored = plain;
        if (accident == Accident.TRAILING_GARBAGE) {
            byte[] garbage = Octets.bytes(
                    dice.pick("<trailer>", "{\"event_type\":\"lost\",\"tid\":\"x\"}\n", "\u0001\u0002\u0003"));
            stored = Codecs.join(Codecs.gzip(plain, dice), garbage);
            outcomes.setAside(key, plain.length, garbage, Tally.TRAILING_GARBAGE);
        } else if (gzip) {
            stored = options.otherCodecs() ? Codecs.anyOf(plain, dice) : Codecs.gzip(plain, dice);
        }
        outcomes.object(key, true);
        return new SourceObject(key, stored, plain.length);
    }

    private int targetLength(Dice dice) {
        return dice.betweenMagnitudes(Math.max(1, options.objectBytes() / 3), options.objectBytes() * 2);
    }

    private SourceObject wholeFault(String key, int day, Dice dice) throws IOException {
        Layout layout = new Layout(dice, Framing.NEWLINE, Accident.NONE);
        layout.fill(day, Math.min(20_000, targetLength(dice)));
        byte[] plain = layout.bytes();
        String text = new String(plain, ISO_8859_1);
        String reason;
        byte[] stored;
        switch (dice.below(8)) {
            case 0 -> {
                reason = "unsupported_compression";
                stored = Codecs.zip(plain);
            }
            case 1 -> {
                reason = "unsupported_compression";
                stored = Codecs.snappy(plain);
            }
            case 2 -> {
                reason = "unsupported_encoding";
                stored = ("\ufeff" + text).getBytes(dice.chance(0.5) ? UTF_16LE : UTF_16BE);
            }
            case 3 -> {
                reason = "unsupported_encoding";
                stored = text.getBytes(dice.chance(0.5) ? UTF_16LE : UTF_16BE);
            }
            default -> {
                reason = "corrupt_compression";
                stored = Codecs.corrupt(plain, dice);
            }
        }
        outcomes.wholeObject(key, stored, reason);
        outcomes.object(key, true);
        return new SourceObject(key, stored, stored.length);
    }

    private SourceObject empty(String key, boolean gzip, Dice dice) {
        byte[] plain = Octets.bytes(dice.pick("", "", "\n", " \r\n\t\n"));
        outcomes.object(key, false);
        return new SourceObject(key, gzip && dice.chance(0.8) ? Codecs.gzip(plain, dice) : plain, plain.length);
    }

    /** What happened to an object that is otherwise sound. */
    private enum Accident {
        NONE,
        /** The object ends within a record. */
        CUT,
        /** Some records are damaged. */
        DAMAGE,
        NUL_PADDING,
        TRAILING_GARBAGE
    }

    /** A text of the object, from its first byte to its last. */
    private record Piece(int from, int to, Fate fate, boolean broken) {}

    /** The uncompressed bytes of one object under construction, with what stands where. */
    private final class Layout {
        private final Dice dice;
        private final Framing framing;
        private final Accident accident;
        private final StringBuilder out = new StringBuilder();
        private final List<Piece> pieces = new ArrayList<>();
        private int pads;

        Layout(Dice dice, Framing framing, Accident accident) {
            this.dice = dice;
            this.framing = framing;
            this.accident = accident;
        }

        byte[] bytes() {
            return Octets.bytes(out);
        }

        void fill(int day, int length) {
            if (options.odd() && dice.chance(0.05)) {
                out.append(new String(BOM, ISO_8859_1));
            }
            int elementsLeft = 0;
            while (out.length() < length || pieces.isEmpty() || (pads == 0 && accident == Accident.NUL_PADDING)) {
                boolean inArray = elementsLeft > 0;
                if (framing == Framing.ARRAY && !inArray) {
                    emptyArray();
                    elementsLeft = dice.betweenMagnitudes(1, 60);
                    out.append('[').append(space());
                }
                piece(day);
                if (framing == Framing.ARRAY && --elementsLeft > 0 && out.length() < length) {
                    out.append(space()).append(',').append(space());
                } else if (framing == Framing.ARRAY) {
                    elementsLeft = 0;
                    out.append(space()).append(']').append(dice.pick("", "\n"));
                    pad();
                } else {
                    separate();
                    pad();
                }
            }
            finish(day);
        }

        /** Adds the next text: a record, the one before it once more, or something that is no object. */
        private void piece(int day) {
            boolean pretty = framing == Framing.PRETTY
                    || (framing == Framing.ARRAY && accident != Accident.DAMAGE && dice.chance(0.05));
            if (dice.chance(options.badRecords() / 10)) {
                boolean self = framing == Framing.CONCAT || framing == Framing.MIXED || framing == Framing.PRETTY;
                add(
                        self
                                ? "\"just text\""
                                : dice.pick("\"just text\"", "17", "-1.5e3", "null", "true", nestedArray()),
                        new Fate.SetAside("not_an_object"),
                        false);
                return;
            }
            Piece last = pieces.isEmpty() ? null : pieces.getLast();
            if (last != null && !last.broken() && dice.chance(0.002)) {
                add(out.substring(last.from(), last.to()), last.fate(), false);
                return;
            }
            Made made = records.make(dice, day, pretty);
            if (accident == Accident.DAMAGE && dice.chance(framing.lines() ? 0.03 : 0.005)) {
                add(damaged(made.octets()), new Fate.SetAside("invalid_json"), true);
            } else {
                add(made.octets(), made.fate(), false);
            }
        }

        private String nestedArray() {
            return framing == Framing.ARRAY ? "[{\"event_type\":\"decoy\",\"tid\":\"decoy\"},2]" : "false";
        }

        private void add(String octets, Fate fate, boolean broken) {
            int from = out.length();
            out.append(octets);
            pieces.add(new Piece(from, out.length(), fate, broken));
        }

        /**
         * A record with a syntax error that shows before the next line, whatever follows. Only on lines of its own may a string be left open: the line
         * end closes the case.
         */
        private String damaged(String record) {
            int inside = record.lastIndexOf('}');
            String head = record.substring(0, inside);
            String comma = head.endsWith("{") ? "" : ",";
            // Without a member, some of these would be sound.
            int kinds = comma.isEmpty() ? 3 : framing.lines() ? 9 : 6;
            return switch (dice.below(kinds)) {
                case 0 -> head + comma + "\"n\":01}";
                case 1 -> head + comma + "\"v\":undefined}";
                case 2 -> head + comma + "'k':1}";
                case 3 -> head + comma + "\"ctl\":\"a\u0001b\"}";
                case 4 -> head + comma + "\"bad\":\"\\x41\"}";
                case 5 -> head + comma + "\"k\" 1}";
                case 6 -> head + comma + "\"open\":\"never closed}";
                case 7 -> head + "]";
                default -> head + comma + "}";
            };
        }

        private void separate() {
            String separator = switch (framing) {
                case NEWLINE -> "\n";
                case CRLF -> "\r\n";
                case BLANK_LINES -> dice.pick("\n", "\n", "\n\n", "\n \n", "\r\n\r\n", "\n\t\n\n");
                case MIXED -> dice.pick("", "", "\n", " ", "\r\n", "\n\n", "\t", "\n  ");
                case PRETTY -> dice.pick("\n", "\n", "", "\n\n");
                case CONCAT, ARRAY -> "";
            };
            out.append(separator);
            if (options.odd() && accident == Accident.NONE && dice.chance(0.001)) {
                out.append(new String(BOM, ISO_8859_1));
            }
        }

        private void pad() {
            if (accident == Accident.NUL_PADDING && (pads == 0 || dice.chance(0.02))) {
                out.repeat(0, dice.betweenMagnitudes(1, 5_000))
                        .append(framing == Framing.NEWLINE ? dice.pick("", "\n") : "");
                pads++;
            }
        }

        private void emptyArray() {
            if (options.odd() && dice.chance(0.01)) {
                out.append(dice.pick("[]", "[ ]\n"));
            }
        }

        private String space() {
            return accident == Accident.DAMAGE ? dice.pick("", " ") : dice.pick("", "", " ", "\n", "\n  ");
        }

        private void finish(int day) {
            if (accident == Accident.CUT) {
                cut(day);
            } else if (framing.lines() && !pieces.getLast().broken() && dice.chance(0.3)) {
                // No line end after the last record.
                out.setLength(pieces.getLast().to());
            }
        }

        /** Adds part of a record: the writer died here. */
        private void cut(int day) {
            if (framing == Framing.ARRAY) {
                out.append('[');
            }
            String record = records.make(dice, day, framing == Framing.PRETTY).octets();
            add(record.substring(0, dice.between(1, record.length() - 1)), new Fate.SetAside("truncated_record"), true);
        }

        /** Tells what becomes of each text. After a broken one all goes with it up to the next line that begins with a brace (rule book D7). */
        void tell(String key, byte[] bytes, Outcomes to) {
            int resume = 0;
            for (Piece piece : pieces) {
                if (piece.from() < resume) {
                    continue;
                }
                byte[] text = Arrays.copyOfRange(bytes, piece.from(), piece.to());
                switch (piece.fate()) {
                    case Fate.Lands lands -> to.lands(key, piece.from(), text, lands.path());
                    case Fate.SetAside aside
                    when piece.broken() -> {
                        resume = resumption(bytes, piece.from());
                        to.setAside(key, piece.from(), Arrays.copyOfRange(bytes, piece.from(), resume), aside.reason());
                    }
                    case Fate.SetAside aside -> to.setAside(key, piece.from(), text, aside.reason());
                }
            }
            if (accident == Accident.NUL_PADDING) {
                padding(key, bytes, to);
            }
        }

        private int resumption(byte[] bytes, int start) {
            for (int i = start; i + 1 < bytes.length; i++) {
                if (bytes[i] == '\n' && bytes[i + 1] == '{') {
                    int found = i + 1;
                    if (pieces.stream().noneMatch(piece -> piece.from() == found)) {
                        throw new IllegalStateException("a line within a text begins with a brace");
                    }
                    return found;
                }
            }
            return bytes.length;
        }

        private void padding(String key, byte[] bytes, Outcomes to) {
            for (int i = 0; i < bytes.length; i++) {
                int from = i;
                while (i < bytes.length && bytes[i] == 0) {
                    i++;
                }
                if (i > from) {
                    to.setAside(key, from, new byte[i - from], Tally.NUL_PADDING);
                }
            }
        }
    }
}
