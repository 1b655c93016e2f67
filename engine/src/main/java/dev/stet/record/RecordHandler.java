package dev.stet.record;

import java.io.IOException;

/**
 * Receives what a framer finds, in source order. All arrays and {@link FieldValues} are borrowed: valid during the call only, and never to be
 * written to. Offsets count bytes of the decompressed source from 0. Not thread-safe.
 *
 * <p>A span too long for the framer's window (a record of many MiB, or a damaged stretch without an end) comes in pieces: {@link #beginLong},
 * any number of {@link #continueLong}, then exactly one of {@link #endLongRecord} and {@link #endLongSetAside}. Nothing else comes in between.
 */
public interface RecordHandler {

    /**
     * One whole record, {@code buffer[from, to)}.
     *
     * @param multiLine whether a raw line feed stands inside (rule book D9)
     * @param fields the routed values captured, in terms of the paths the framer was made with
     */
    void record(byte[] buffer, int from, int to, long offset, boolean multiLine, FieldValues fields) throws IOException;

    /** A span that cannot be framed, or a text that is no record, {@code buffer[from, to)}. */
    void setAside(Reason reason, byte[] buffer, int from, int to, long offset) throws IOException;

    /** A long span starts at {@code offset}. */
    void beginLong(long offset) throws IOException;

    /** The next bytes of the long span. */
    void continueLong(byte[] buffer, int from, int to) throws IOException;

    /** The long span was one whole record. Fields hold copies of the routed values. */
    void endLongRecord(boolean multiLine, FieldValues fields) throws IOException;

    /** The long span is to be set aside. */
    void endLongSetAside(Reason reason) throws IOException;
}
