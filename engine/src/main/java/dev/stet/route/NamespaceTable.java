package dev.stet.route;

import java.util.Arrays;
import java.util.List;

/** Finds the fields that override the general ones by the bytes of an encoded namespace, without making an object of them. */
final class NamespaceTable {
    private final byte[][] keys;
    private final NamespaceFields[] values;
    private final NamespaceFields general;

    /** One override. */
    record Entry(String folder, NamespaceFields fields) {}

    NamespaceTable(List<Entry> entries, NamespaceFields general) {
        int slots = Integer.highestOneBit(2 * entries.size() + 1) * 2;
        this.keys = new byte[slots][];
        this.values = new NamespaceFields[slots];
        this.general = general;
        Arrays.fill(keys, new byte[0]);
        Arrays.fill(values, general);
        for (var entry : entries) {
            byte[] key = Encoded.ascii(entry.folder());
            int slot = slot(key, key.length);
            keys[slot] = key;
            values[slot] = entry.fields();
        }
    }

    /** The fields of the namespace {@code folder[0, length)}. */
    NamespaceFields find(byte[] folder, int length) {
        return values.length == 2 ? general : values[slot(folder, length)];
    }

    /** Where the key is, or the free slot where it would be. Free slots hold the empty key, which is no folder. */
    private int slot(byte[] key, int length) {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + key[i];
        }
        int slot = (hash ^ hash >>> 16) & keys.length - 1;
        while (keys[slot].length > 0 && !Arrays.equals(keys[slot], 0, keys[slot].length, key, 0, length)) {
            slot = slot + 1 & keys.length - 1;
        }
        return slot;
    }
}
