package dev.stet.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.stet.record.FieldValues.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** What a framer handed over for one source; the source and its spans as Latin-1 text, one char a byte. */
record Framed(List<Item> items, Framer.FramedBytes bytes, String source) {

    /** A captured value: what stands in the source, and whether it occurred with another value, too. */
    record Value(Kind kind, String text, boolean escaped, boolean conflicting) {
        @Override
        public String toString() {
            return kind
                    + (text.isEmpty() ? "" : " " + text)
                    + (escaped ? " escaped" : "")
                    + (conflicting ? " conflicting" : "");
        }
    }

    /** One span. A record has no reason. */
    record Item(
            Optional<Reason> reason,
            String text,
            long offset,
            boolean multiLine,
            boolean inPieces,
            List<Value> fields) {
        @Override
        public String toString() {
            return reason.map(Reason::wireName).orElse("record") + " "
                    + (text.length() > 200 ? text.substring(0, 200) + "…" : text);
        }

        Item withoutPieces() {
            return new Item(reason, text, offset, multiLine, false, fields);
        }
    }

    static byte[] latin1(String text) {
        return text.getBytes(ISO_8859_1);
    }

    static Framed frame(Framer framer, int fields, byte[] source) {
        return frame(framer, fields, source, new ByteArrayInputStream(source));
    }

    static Framed frame(Framer framer, int fields, byte[] source, InputStream in) {
        Collector collector = new Collector(fields);
        try {
            return new Framed(collector.items, framer.frame(in, collector), new String(source, ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In stretches that end wherever the framer may pause and the random says so; each has a framer of its own, as another worker has. */
    static Framed inStretches(Supplier<? extends Framer> framers, int fields, byte[] source, Random random) {
        Collector collector = new Collector(fields);
        try {
            Framer.FramedBytes sum = new Framer.FramedBytes(0, 0, 0, 0);
            long offset = 0;
            boolean ended = false;
            while (!ended) {
                InputStream in = new ByteArrayInputStream(source, (int) offset, source.length - (int) offset);
                Framer.Stretch stretch = framers.get().frame(in, offset, collector, () -> random.nextInt(3) == 0);
                Framer.FramedBytes b = stretch.bytes();
                if (b.total() != stretch.offset() - offset || (!stretch.ended() && stretch.offset() == offset)) {
                    throw new AssertionError(stretch + " from " + offset);
                }
                sum = new Framer.FramedBytes(
                        sum.recordCount() + b.recordCount(),
                        sum.records() + b.records(),
                        sum.framing() + b.framing(),
                        sum.setAside() + b.setAside());
                offset = stretch.offset();
                ended = stretch.ended();
            }
            return new Framed(collector.items, sum, new String(source, ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Framed frame(String source, String... paths) {
        return frame(new JsonFramer(new FieldPaths(List.of(paths)), Optional.empty()), paths.length, latin1(source));
    }

    /** All spans, in order, as {@code record …} or {@code reason …}. */
    List<String> lines() {
        return items.stream().map(Item::toString).toList();
    }

    List<String> records() {
        return items.stream()
                .filter(item -> item.reason().isEmpty())
                .map(Item::text)
                .toList();
    }

    /** Which rule of conservation is broken; empty if none is. */
    Optional<String> fault() {
        long records = 0;
        long setAside = 0;
        long end = 0;
        for (Item item : items) {
            long length = item.text().length();
            if (item.offset() < end || length == 0) {
                return Optional.of("overlapping or empty: " + item);
            }
            if (!source.startsWith(item.text(), (int) item.offset())) {
                return Optional.of("not the source's bytes: " + item);
            }
            end = item.offset() + length;
            records += item.reason().isEmpty() ? length : 0;
            setAside += item.reason().isEmpty() ? 0 : length;
        }
        boolean sums = records == bytes.records()
                && setAside == bytes.setAside()
                && bytes.recordCount() == records().size()
                && bytes.total() == source.length();
        return sums
                ? Optional.empty()
                : Optional.of("sums do not agree: " + bytes + " for " + source.length() + " bytes");
    }

    /** The bytes that are neither record nor set aside. */
    String framing() {
        StringBuilder rest = new StringBuilder();
        int end = 0;
        for (Item item : items) {
            rest.append(source, end, (int) item.offset());
            end = (int) item.offset() + item.text().length();
        }
        return rest.append(source, end, source.length()).toString();
    }

    private static final class Collector implements RecordHandler {
        final List<Item> items = new ArrayList<>();
        private final int fieldCount;
        private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        private long longOffset = -1;

        Collector(int fieldCount) {
            this.fieldCount = fieldCount;
        }

        @Override
        public void record(byte[] buffer, int from, int to, long offset, boolean multiLine, FieldValues fields) {
            notInPieces();
            items.add(new Item(Optional.empty(), text(buffer, from, to), offset, multiLine, false, values(fields)));
        }

        @Override
        public void setAside(Reason reason, byte[] buffer, int from, int to, long offset) {
            notInPieces();
            items.add(new Item(Optional.of(reason), text(buffer, from, to), offset, false, false, List.of()));
        }

        @Override
        public void beginLong(long offset) {
            notInPieces();
            longOffset = offset;
        }

        @Override
        public void continueLong(byte[] buffer, int from, int to) {
            inPieces();
            pieces.write(buffer, from, to - from);
        }

        @Override
        public void endLongRecord(boolean multiLine, FieldValues fields) {
            items.add(new Item(Optional.empty(), takePieces(), longOffset, multiLine, true, values(fields)));
            longOffset = -1;
        }

        @Override
        public void endLongSetAside(Reason reason) {
            items.add(new Item(Optional.of(reason), takePieces(), longOffset, false, true, List.of()));
            longOffset = -1;
        }

        private String takePieces() {
            inPieces();
            String text = pieces.toString(ISO_8859_1);
            pieces.reset();
            return text;
        }

        private void inPieces() {
            if (longOffset < 0) {
                throw new AssertionError("no long span has begun");
            }
        }

        private void notInPieces() {
            if (longOffset >= 0) {
                throw new AssertionError("a long span is still open");
            }
        }

        private List<Value> values(FieldValues fields) {
            List<Value> values = new ArrayList<>();
            for (int i = 0; i < fieldCount; i++) {
                values.add(value(fields, i));
            }
            return List.copyOf(values);
        }

        private static Value value(FieldValues fields, int path) {
            Kind kind = fields.kind(path);
            return switch (kind) {
                case ABSENT, OBJECT, ARRAY -> new Value(kind, "", false, fields.conflicting(path));
                case STRING, NUMBER, NULL, BOOLEAN, BARE_WORD ->
                    new Value(
                            kind,
                            text(fields.bytes(path), fields.from(path), fields.to(path)),
                            fields.escaped(path),
                            fields.conflicting(path));
            };
        }

        private static String text(byte[] buffer, int from, int to) {
            return new String(buffer, from, to - from, ISO_8859_1);
        }
    }
}
