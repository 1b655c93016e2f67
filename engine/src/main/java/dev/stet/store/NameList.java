package dev.stet.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Names of one directory, packed: the UTF-8 bytes one after another in blocks, and four bytes for each name's place. A string a name would take about
 * twice as much. Not thread-safe; {@link #get} after {@link #sort} is.
 */
final class NameList {
    private static final int BLOCK = 1 << 14;
    /** Two bytes of length before each name. */
    private static final int HEAD = 2;

    private final List<byte[]> blocks = new ArrayList<>();
    private int used = BLOCK;
    private int[] places = new int[16];
    private int count;

    void add(byte[] name) {
        int need = HEAD + name.length;
        if (need > BLOCK) {
            throw new IllegalArgumentException("a name of " + name.length + " bytes");
        }
        if (used + need > BLOCK) {
            blocks.add(new byte[BLOCK]);
            used = 0;
        }
        byte[] block = blocks.getLast();
        block[used] = (byte) (name.length >>> 8);
        block[used + 1] = (byte) name.length;
        System.arraycopy(name, 0, block, used + HEAD, name.length);
        if (count == places.length) {
            places = Arrays.copyOf(places, count * 2);
        }
        places[count++] = (blocks.size() - 1) * BLOCK + used;
        used += need;
    }

    int size() {
        return count;
    }

    String get(int index) {
        byte[] block = block(places[index]);
        int at = places[index] % BLOCK;
        return new String(block, at + HEAD, length(block, at), StandardCharsets.UTF_8);
    }

    byte[] bytes(int index) {
        byte[] block = block(places[index]);
        int at = places[index] % BLOCK;
        return Arrays.copyOfRange(block, at + HEAD, at + HEAD + length(block, at));
    }

    /** Sorts by unsigned bytes: the order of {@link KeyOrder}. */
    void sort() {
        sort(Arrays.copyOf(places, count), places, 0, count);
    }

    /** Merge sort from {@code from} into {@code into}; both hold the same places in {@code [low, high)}. The library sorts no primitives by comparator. */
    private void sort(int[] from, int[] into, int low, int high) {
        if (high - low < 2) {
            return;
        }
        int middle = (low + high) >>> 1;
        sort(into, from, low, middle);
        sort(into, from, middle, high);
        if (compare(from[middle - 1], from[middle]) <= 0) {
            System.arraycopy(from, low, into, low, high - low);
            return;
        }
        int left = low;
        int right = middle;
        for (int i = low; i < high; i++) {
            boolean takeLeft = right == high || (left < middle && compare(from[left], from[right]) <= 0);
            into[i] = takeLeft ? from[left++] : from[right++];
        }
    }

    private int compare(int a, int b) {
        byte[] x = block(a);
        byte[] y = block(b);
        int i = a % BLOCK;
        int j = b % BLOCK;
        return Arrays.compareUnsigned(x, i + HEAD, i + HEAD + length(x, i), y, j + HEAD, j + HEAD + length(y, j));
    }

    private byte[] block(int place) {
        return blocks.get(place / BLOCK);
    }

    private static int length(byte[] block, int at) {
        return ((block[at] & 0xFF) << 8) | (block[at + 1] & 0xFF);
    }
}
