package dev.stet.record;

import java.io.IOException;

/**
 * Hands spans, which always start at the window's mark, to the handler, and counts every byte once: what lies between two spans is framing. A span
 * that {@link #spill spilled} goes over in pieces.
 */
final class Spans {
    private final Window window;
    private RecordHandler handler = new NoHandler();
    /** Source offset behind the last span. */
    private long end;

    private boolean open;
    private long recordCount;
    private long records;
    private long framing;
    private long setAside;
    /** Bytes of the open span handed over so far. */
    private long spilled;

    Spans(Window window) {
        this.window = window;
    }

    void begin(RecordHandler to, long offset) {
        handler = to;
        end = offset;
        open = false;
        recordCount = 0;
        records = 0;
        framing = 0;
        setAside = 0;
    }

    void close() {
        handler = new NoHandler();
    }

    /** Whether the current span has begun to go over in pieces. */
    boolean open() {
        return open;
    }

    /** Hands over {@code [mark, to)} as a piece of a span that is not at its end. */
    void spill(int to) throws IOException {
        if (!open) {
            open = true;
            spilled = 0;
            handler.beginLong(window.offset(window.mark));
        }
        piece(to);
    }

    /** The span up to {@code to} is one record. */
    void record(int to, boolean multiLine, FieldValues fields) throws IOException {
        int from = window.mark;
        recordCount++;
        if (open) {
            piece(to);
            open = false;
            records += spilled;
            handler.endLongRecord(multiLine, fields);
        } else {
            records += to - from;
            take(from, to);
            handler.record(window.buf, from, to, window.offset(from), multiLine, fields);
        }
    }

    /** The span up to {@code to}, without white space at its ends, is to be set aside. */
    void setAside(Reason reason, int to) throws IOException {
        byte[] b = window.buf;
        int from = window.mark;
        int last = to;
        while (last > from && TokenCursor.isSpace(b[last - 1])) {
            last--;
        }
        if (open) {
            piece(last);
            open = false;
            setAside += spilled;
            handler.endLongSetAside(reason);
            return;
        }
        while (from < last && TokenCursor.isSpace(b[from])) {
            from++;
        }
        if (from < last) {
            setAside += last - from;
            take(from, last);
            handler.setAside(reason, b, from, last, window.offset(from));
        }
    }

    private void piece(int to) throws IOException {
        int from = window.mark;
        if (from < to) {
            spilled += to - from;
            take(from, to);
            handler.continueLong(window.buf, from, to);
        }
    }

    private void take(int from, int to) {
        long start = window.offset(from);
        if (start < end) {
            throw new IllegalStateException("bytes " + start + " to " + end + " framed twice");
        }
        framing += start - end;
        end = window.offset(to);
    }

    /** The counts, once all up to {@code to} was framed. */
    Framer.FramedBytes total(long to) {
        return new Framer.FramedBytes(recordCount, records, framing + to - end, setAside);
    }

    private static final class NoHandler implements RecordHandler {
        private static IllegalStateException noObject() {
            return new IllegalStateException("no object is being framed");
        }

        @Override
        public void record(byte[] buffer, int from, int to, long offset, boolean multiLine, FieldValues fields) {
            throw noObject();
        }

        @Override
        public void setAside(Reason reason, byte[] buffer, int from, int to, long offset) {
            throw noObject();
        }

        @Override
        public void beginLong(long offset) {
            throw noObject();
        }

        @Override
        public void continueLong(byte[] buffer, int from, int to) {
            throw noObject();
        }

        @Override
        public void endLongRecord(boolean multiLine, FieldValues fields) {
            throw noObject();
        }

        @Override
        public void endLongSetAside(Reason reason) {
            throw noObject();
        }
    }
}
