package dev.stet.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** The names of one directory in {@link KeyOrder}, handed out once. Not thread-safe. */
interface SortedNames extends Closeable {
    Optional<String> next() throws IOException;

    @Override
    void close();

    /** Names held in memory. {@code list} must be sorted. */
    static SortedNames of(NameList list) {
        return new SortedNames() {
            private int at;

            @Override
            public Optional<String> next() {
                return at < list.size() ? Optional.of(list.get(at++)) : Optional.empty();
            }

            @Override
            public void close() {}
        };
    }
}
