package dev.stet.stage;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Numbers the partitions of one run. Open addressing over raw path bytes: nothing is allocated for a partition that is known. Not thread-safe. */
final class PartitionTable {
    private static final int OVERHEAD = 64;
    private static final int EMPTY = -1;

    private int[] slots = new int[64];
    private byte[][] paths = new byte[32][];
    private SliceKind[] kinds = new SliceKind[32];
    private long[] times = new long[32];
    private int[] hashes = new int[32];
    private int size;
    private long bytes;

    PartitionTable() {
        Arrays.fill(slots, EMPTY);
    }

    int size() {
        return size;
    }

    /** Memory its partitions take, about. */
    long bytes() {
        return bytes;
    }

    /** The number of a partition, a new one if it was not met in this run. */
    int number(SliceKind kind, long timePartition, byte[] path, int length) {
        int hash = hash(kind, path, length);
        int slot = hash & (slots.length - 1);
        while (slots[slot] != EMPTY) {
            int n = slots[slot];
            if (hashes[n] == hash && kinds[n] == kind && Arrays.equals(paths[n], 0, paths[n].length, path, 0, length)) {
                return n;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        return add(slot, hash, kind, timePartition, path, length);
    }

    private int add(int slot, int hash, SliceKind kind, long time, byte[] path, int length) {
        if (size == paths.length) {
            int more = size * 2;
            paths = Arrays.copyOf(paths, more);
            kinds = Arrays.copyOf(kinds, more);
            times = Arrays.copyOf(times, more);
            hashes = Arrays.copyOf(hashes, more);
        }
        paths[size] = Arrays.copyOf(path, length);
        kinds[size] = kind;
        times[size] = time;
        hashes[size] = hash;
        slots[slot] = size;
        bytes += length + OVERHEAD;
        size++;
        if (size * 2 > slots.length) {
            rehash();
        }
        return size - 1;
    }

    private void rehash() {
        slots = new int[slots.length * 2];
        Arrays.fill(slots, EMPTY);
        for (int n = 0; n < size; n++) {
            int slot = hashes[n] & (slots.length - 1);
            while (slots[slot] != EMPTY) {
                slot = (slot + 1) & (slots.length - 1);
            }
            slots[slot] = n;
        }
    }

    private static int hash(SliceKind kind, byte[] path, int length) {
        int h = kind.ordinal() + 1;
        for (int i = 0; i < length; i++) {
            h = 31 * h + path[i];
        }
        return h ^ (h >>> 15);
    }

    SliceKind kind(int n) {
        return kinds[n];
    }

    long timePartition(int n) {
        return times[n];
    }

    /** Not to be written to. */
    byte[] pathBytes(int n) {
        return paths[n];
    }

    String path(int n) {
        return new String(paths[n], StandardCharsets.US_ASCII);
    }

    /** Numbers in the order of a run: time partition, path, kind. */
    int[] sorted() {
        return IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(n -> times[n])
                        .thenComparing((a, b) -> Arrays.compareUnsigned(paths[a], paths[b]))
                        .thenComparing(n -> kinds[n]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
