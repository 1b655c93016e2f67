package dev.stet.stage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The records of one worker that wait for their run, in source order: bytes in chunks, one entry of five numbers a record. Records may straddle chunks.
 * Entries can be taken back from the end (an object proved damaged) and dropped from the start (they were written). Not thread-safe.
 */
final class RecordArena {
    static final int CHUNK = 256 << 10;
    private static final int ENTRY_BYTES = 40;

    private final List<byte[]> chunks = new ArrayList<>();
    private final List<byte[]> free = new ArrayList<>();
    /** Position of the first byte of the first chunk; positions only ever grow. */
    private long base;

    private long end;
    private int count;
    private int[] partition = new int[1024];
    private long[] position = new long[1024];
    private int[] length = new int[1024];
    private long[] sourceOffset = new long[1024];
    private long[] sourceEnd = new long[1024];
    private int[] sequence = new int[1024];
    private int[] object = new int[1024];

    int count() {
        return count;
    }

    /** Memory in use, about. */
    long bytes() {
        return (long) chunks.size() * CHUNK + (long) partition.length * ENTRY_BYTES;
    }

    int partition(int entry) {
        return partition[entry];
    }

    int length(int entry) {
        return length[entry];
    }

    long sourceOffset(int entry) {
        return sourceOffset[entry];
    }

    /** One past the last byte in the source; what is kept of a set-aside span has another length. */
    long sourceEnd(int entry) {
        return sourceEnd[entry];
    }

    /** Whether nothing of the source stands between the two entries but framing. */
    boolean follows(int entry, int before) {
        return object[entry] == object[before] && sequence[entry] == sequence[before] + 1;
    }

    int object(int entry) {
        return object[entry];
    }

    /** @param number counts the items of the source in order, those too that are not held here */
    void add(
            int partitionNumber,
            int objectNumber,
            int number,
            long offset,
            long endOffset,
            byte[] buffer,
            int from,
            int to) {
        if (count == partition.length) {
            grow();
        }
        partition[count] = partitionNumber;
        object[count] = objectNumber;
        sourceOffset[count] = offset;
        sourceEnd[count] = endOffset;
        sequence[count] = number;
        position[count] = end;
        length[count] = to - from;
        count++;
        append(buffer, from, to);
    }

    private void append(byte[] buffer, int from, int to) {
        int at = from;
        while (at < to) {
            int inChunk = (int) ((end - base) % CHUNK);
            if (inChunk == 0 && (end - base) / CHUNK == chunks.size()) {
                chunks.add(free.isEmpty() ? new byte[CHUNK] : free.removeLast());
            }
            int n = Math.min(to - at, CHUNK - inChunk);
            System.arraycopy(buffer, at, chunks.get((int) ((end - base) / CHUNK)), inChunk, n);
            at += n;
            end += n;
        }
    }

    /** Whether the entry's bytes lie in one chunk. */
    boolean inOnePiece(int entry) {
        return (position[entry] - base) % CHUNK + length[entry] <= CHUNK;
    }

    /** Receives an entry's bytes in one or more pieces. */
    interface Pieces {
        void piece(byte[] buffer, int from, int to) throws java.io.IOException;
    }

    void read(int entry, Pieces out) throws java.io.IOException {
        long at = position[entry] - base;
        int left = length[entry];
        while (left > 0) {
            int inChunk = (int) (at % CHUNK);
            int n = Math.min(left, CHUNK - inChunk);
            out.piece(chunks.get((int) (at / CHUNK)), inChunk, inChunk + n);
            at += n;
            left -= n;
        }
    }

    /** Forgets the entries from {@code mark} on. */
    void takeBack(int mark) {
        if (mark == count) {
            return;
        }
        end = position[mark];
        count = mark;
        int used = (int) ((end - base + CHUNK - 1) / CHUNK);
        while (chunks.size() > used) {
            free.add(chunks.removeLast());
        }
    }

    /** Forgets the first {@code n} entries; the numbers of the others go down by {@code n}. */
    void dropFirst(int n) {
        if (n == count) {
            takeBack(0);
            return;
        }
        int whole = (int) ((position[n] - base) / CHUNK);
        for (int i = 0; i < whole; i++) {
            free.add(chunks.get(i));
        }
        chunks.subList(0, whole).clear();
        base += (long) whole * CHUNK;
        count -= n;
        System.arraycopy(partition, n, partition, 0, count);
        System.arraycopy(position, n, position, 0, count);
        System.arraycopy(length, n, length, 0, count);
        System.arraycopy(sourceOffset, n, sourceOffset, 0, count);
        System.arraycopy(sourceEnd, n, sourceEnd, 0, count);
        System.arraycopy(sequence, n, sequence, 0, count);
        System.arraycopy(object, n, object, 0, count);
    }

    /** Gives partitions new numbers, after those of dropped entries were forgotten. */
    void renumber(java.util.function.IntUnaryOperator newNumber) {
        for (int i = 0; i < count; i++) {
            partition[i] = newNumber.applyAsInt(partition[i]);
        }
    }

    private void grow() {
        int more = count * 2;
        partition = Arrays.copyOf(partition, more);
        position = Arrays.copyOf(position, more);
        length = Arrays.copyOf(length, more);
        sourceOffset = Arrays.copyOf(sourceOffset, more);
        sourceEnd = Arrays.copyOf(sourceEnd, more);
        sequence = Arrays.copyOf(sequence, more);
        object = Arrays.copyOf(object, more);
    }
}
