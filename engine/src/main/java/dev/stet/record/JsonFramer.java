package dev.stet.record;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Frames JSON: texts one after the other with anything or nothing between them, or in top-level arrays, or in lists inside envelopes (rule book D1 to
 * D14). Here is what stands between values and what happens after a fault; {@link JsonScanner} reads the values.
 */
public final class JsonFramer implements Framer {
    private final Limits limits;
    private final Window window;
    private final Spans spans;
    private final JsonScanner records;
    private final Optional<JsonScanner> envelopes;

    /** Whether a line feed stands right before the window's place, as far as {@link #skipFraming} looked. */
    private boolean atLineStart;

    // Rule book D7: how far the faults inside one broken record reached, and how often framing started again before
    // that.
    private long horizon;
    private int restarts;

    /** Bytes looked at in all, for tests of linear time. */
    private long scanned;

    /**
     * @param paths what to capture from each record
     * @param recordFieldPath dotted path, in each top-level object, of the list whose elements are the records (rule book D11)
     */
    public JsonFramer(FieldPaths paths, Optional<String> recordFieldPath) {
        this(paths, recordFieldPath, Limits.DEFAULT);
    }

    JsonFramer(FieldPaths paths, Optional<String> recordFieldPath, Limits limits) {
        this.limits = limits;
        this.window = new Window(limits, this::overflow);
        this.spans = new Spans(window);
        this.records = new JsonScanner(window, new CapturedFields(paths, window, limits.value()));
        this.envelopes = recordFieldPath.map(path -> {
            CapturedFields list = new CapturedFields(new FieldPaths(List.of(path)), window, limits.value());
            list.unwrapFirst();
            return new JsonScanner(window, list);
        });
    }

    private void overflow(int to) throws IOException {
        records.leaveWindow();
        envelopes.ifPresent(JsonScanner::leaveWindow);
        spans.spill(to);
    }

    @Override
    public Stretch frame(InputStream in, long offset, RecordHandler handler, BooleanSupplier pause) throws IOException {
        window.open(in, offset);
        spans.begin(handler, offset);
        horizon = 0;
        restarts = 0;
        atLineStart = false;
        try {
            if (offset == 0) {
                Encodings.check(window);
            }
            long ask = offset + limits.window();
            while (true) {
                if (window.offset(window.pos) >= ask) {
                    if (window.offset(window.pos) >= horizon && pause.getAsBoolean()) {
                        long at = window.offset(window.pos);
                        return new Stretch(spans.total(at), at, false);
                    }
                    ask = window.offset(window.pos) + limits.window();
                }
                if (!skipFraming()) {
                    long at = window.offset(window.limit);
                    return new Stretch(spans.total(at), at, true);
                }
                if (window.buf[window.pos] == '[') {
                    window.pos++;
                    elements(envelopes);
                } else {
                    value(envelopes);
                }
            }
        } finally {
            spans.close();
            window.close();
            records.release();
            envelopes.ifPresent(JsonScanner::release);
        }
    }

    /**
     * Frames the elements of an array up to its closing bracket.
     *
     * @return whether it was closed; if not, it is over all the same, and framing goes on at the top level
     */
    private boolean elements(Optional<JsonScanner> envelope) throws IOException {
        if (!skipFraming()) {
            return false;
        }
        if (take(']')) {
            return true;
        }
        while (value(envelope) && skipFraming()) {
            if (take(']')) {
                return true;
            }
            if (!take(',')) {
                commaMissing();
                return false;
            }
            if (!skipFraming()) {
                return false;
            }
        }
        return false;
    }

    private boolean take(char c) {
        if (window.buf[window.pos] != c) {
            return false;
        }
        window.pos++;
        return true;
    }

    /** The span to set aside starts behind the last whole element: so, but for white space, here, or is empty where a line begins with an object. */
    private void commaMissing() throws IOException {
        if (window.buf[window.pos] != '{' || !atLineStart) {
            window.mark = window.pos;
            resync(window.pos, false);
        }
    }

    /** Frames one value. @return false after a fault, with the window's place at the top level again */
    private boolean value(Optional<JsonScanner> envelope) throws IOException {
        window.mark = window.pos;
        if (window.buf[window.pos] != '{') {
            return other();
        }
        return envelope.isPresent() ? envelope(envelope.get()) : record();
    }

    private boolean record() throws IOException {
        int end = scan(records);
        if (end == JsonScanner.BROKEN) {
            return broken(records);
        }
        spans.record(end, records.multiLine(), records.fields());
        window.pos = end;
        return true;
    }

    /** A value that is no object (rule book D10, D12). */
    private boolean other() throws IOException {
        boolean word = isWordByte(window.buf[window.pos]);
        int end = scan(records);
        if (end == JsonScanner.BROKEN) {
            return broken(records);
        }
        window.pos = end;
        if (word && window.require(1) && isWordByte(window.buf[window.pos])) {
            resync(window.pos, false); // 01, truer, 1.2.3: a word that goes on is no whole value
            return false;
        }
        spans.setAside(Reason.NOT_AN_OBJECT, window.pos);
        return true;
    }

    private static boolean isWordByte(byte c) {
        boolean digit = c >= '0' && c <= '9';
        boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        return digit || letter || c == '-' || c == '+' || c == '.' || c == '_';
    }

    /**
     * An object that should hold the list of records. With the list, all bytes around its elements are framing; without it, or where they are too many
     * to hold back until the list is seen, they are kept as what they are: an envelope that cannot be routed (rule book D12).
     */
    private boolean envelope(JsonScanner scanner) throws IOException {
        boolean found = false;
        int end = scan(scanner);
        while (end != JsonScanner.BROKEN && scanner.unwrapping()) {
            found = true;
            envelopeRead(end, true);
            if (!elements(Optional.empty())) {
                return false;
            }
            window.mark = window.pos;
            long start = window.offset(window.pos);
            end = scanner.resume(window.pos);
            count(scanner, start, end);
        }
        if (end == JsonScanner.BROKEN) {
            return broken(scanner);
        }
        envelopeRead(end, found);
        return true;
    }

    private void envelopeRead(int end, boolean found) throws IOException {
        if (!found || spans.open()) {
            spans.setAside(Reason.MISSING_NAMESPACE, end);
        }
        window.pos = end;
        window.mark = end;
    }

    private int scan(JsonScanner scanner) throws IOException {
        long start = window.offset(window.pos);
        int end = scanner.scan(window.pos);
        count(scanner, start, end);
        return end;
    }

    private void count(JsonScanner scanner, long start, int end) {
        scanned += window.offset(end == JsonScanner.BROKEN ? scanner.faultAt() : end) - start;
    }

    private boolean broken(JsonScanner scanner) throws IOException {
        resync(scanner.faultAt(), scanner.truncated());
        return false;
    }

    /**
     * Sets aside what starts at the mark and cannot go on at {@code fault}, up to the first line after the mark that starts with an object (rule book
     * D7), or after the fault where the look-back is used up.
     */
    private void resync(int fault, boolean truncated) throws IOException {
        int from = mayLookBack(fault) ? window.mark : Math.max(window.mark, fault - 1);
        int line = nextObjectLine(from);
        if (line == Window.NONE) {
            spans.setAside(truncated ? Reason.TRUNCATED_RECORD : Reason.INVALID_JSON, window.limit);
            line = window.limit;
        } else {
            spans.setAside(Reason.INVALID_JSON, line);
        }
        window.pos = line;
        window.mark = line;
    }

    private boolean mayLookBack(int fault) {
        if (spans.open()) {
            return false;
        }
        if (window.offset(window.mark) >= horizon) {
            restarts = 0;
        }
        horizon = Math.max(horizon, window.offset(fault));
        return restarts++ < limits.restarts();
    }

    /** The first brace at or after {@code from} that follows a line feed at or after {@code from}; NONE if there is none up to the end. */
    private int nextObjectLine(int from) throws IOException {
        long start = window.offset(from);
        int p = from;
        while (true) {
            p = Swar.lineFeed(window.buf, p, window.limit);
            if (p + 1 >= window.limit) {
                int more = window.refill(p);
                if (more == Window.NONE) {
                    scanned += window.offset(window.limit) - start;
                    return Window.NONE;
                }
                p = more;
            } else if (window.buf[p + 1] == '{') {
                scanned += window.offset(p) - start;
                return p + 1;
            } else {
                p++;
            }
        }
    }

    /** Moves to the next byte that is neither white space, nor a byte order mark, nor NUL padding. @return false at the end of the source */
    private boolean skipFraming() throws IOException {
        atLineStart = false;
        while (true) {
            int p = window.pos;
            byte c = window.buf[p];
            switch (c) {
                case ' ' -> p = Swar.spacesEnd(window.buf, p);
                case '\n', '\r', '\t' -> p++;
                case 0 -> {
                    window.mark = p;
                    if (p < window.limit) {
                        padding();
                    } else if (window.refill(p) == Window.NONE) {
                        return false;
                    }
                    continue;
                }
                case (byte) 0xEF -> {
                    window.mark = p;
                    if (!Encodings.takeByteOrderMark(window)) {
                        return true;
                    }
                    continue;
                }
                default -> {
                    return true;
                }
            }
            atLineStart = c == '\n';
            window.pos = p;
        }
    }

    /** A run of NUL bytes (rule book D5). */
    private void padding() throws IOException {
        int p = window.pos;
        while (true) {
            while (p < window.limit && window.buf[p] == 0) {
                p++;
            }
            if (p < window.limit) {
                break;
            }
            int more = window.refill(p);
            if (more == Window.NONE) {
                break;
            }
            p = more;
        }
        spans.setAside(Reason.NUL_PADDING, p);
        window.pos = p;
        window.mark = p;
    }

    long scanned() {
        return scanned
                + records.fields().compared()
                + envelopes.map(scanner -> scanner.fields().compared()).orElse(0L);
    }

    int windowCapacity() {
        return window.capacity();
    }
}
