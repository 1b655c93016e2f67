package dev.stet.plan;

import dev.stet.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Where an inventory's schema has what is needed, and a line's fields there. Keys are percent-encoded, so that no field has a comma or a quote inside. */
record InventoryColumns(int key, int size, int latest, int marker) {
    private static final int MOST_DIGITS = 18;

    static InventoryColumns of(JsonNode manifest, String where) throws StoreException {
        List<String> names = List.of(manifest.path("fileSchema").asString("").split(", *", -1));
        if (!names.contains("Key") || !names.contains("Size")) {
            throw new StoreException("the inventory lacks the field Key or Size: " + where);
        }
        return new InventoryColumns(
                names.indexOf("Key"),
                names.indexOf("Size"),
                names.indexOf("IsLatest"),
                names.indexOf("IsDeleteMarker"));
    }

    /** The line at hand, without an object for it. Not thread-safe. */
    final class Line {
        private final int[] from = new int[4];
        private final int[] to = new int[4];
        private final int[] columns = {key, size, latest, marker};
        private byte[] bytes = {};

        /** Finds the fields. @throws IllegalArgumentException when there are too few of them */
        void read(byte[] in, int begin, int end) {
            bytes = in;
            Arrays.fill(from, 0);
            Arrays.fill(to, 0);
            int field = 0;
            int start = begin;
            for (int i = begin; i <= end; i++) {
                if (i == end || in[i] == ',') {
                    note(field++, start, i);
                    start = i + 1;
                }
            }
            if (field <= Math.max(key, size)) {
                throw new IllegalArgumentException("it has " + field + " fields");
            }
        }

        private void note(int field, int start, int end) {
            for (int c = 0; c < columns.length; c++) {
                if (columns[c] == field) {
                    boolean quoted = end - start >= 2 && bytes[start] == '"' && bytes[end - 1] == '"';
                    from[c] = quoted ? start + 1 : start;
                    to[c] = quoted ? end - 1 : end;
                }
            }
        }

        /** Of a current version that is an object. */
        boolean isObject() {
            return !is(2, "false") && !is(3, "true");
        }

        private boolean is(int column, String text) {
            int length = to[column] - from[column];
            return length == text.length()
                    && IntStream.range(0, length).allMatch(i -> bytes[from[column] + i] == text.charAt(i));
        }

        /** Bytes. @throws IllegalArgumentException when it is no number */
        long size() {
            long n = 0;
            for (int i = from[1]; i < to[1]; i++) {
                if (bytes[i] < '0' || bytes[i] > '9' || to[1] - from[1] > MOST_DIGITS) {
                    throw new IllegalArgumentException(
                            "its size is " + new String(bytes, from[1], to[1] - from[1], StandardCharsets.UTF_8));
                }
                n = 10 * n + bytes[i] - '0';
            }
            return n;
        }

        /** Whether the decoded key begins so. */
        boolean keyBegins(byte[] prefix) {
            int at = from[0];
            for (byte wanted : prefix) {
                if (at >= to[0]) {
                    return false;
                }
                int b = bytes[at++];
                if (b == '+') {
                    b = ' ';
                } else if (b == '%' && at + 1 < to[0]) {
                    b = (byte) (Character.digit(bytes[at], 16) << 4 | Character.digit(bytes[at + 1], 16));
                    at += 2;
                }
                if (b != wanted) {
                    return false;
                }
            }
            return true;
        }

        int keyFrom() {
            return from[0];
        }

        /** As it stands in the line, encoded. */
        int keyLength() {
            return to[0] - from[0];
        }
    }
}
