package dev.stet.functions;

import dev.stet.store.ObjectStore;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads text objects in staging. */
final class StagedText {
    private StagedText() {}

    /** Takes lines. */
    interface Lines {
        void accept(String line) throws IOException;
    }

    static InputStream open(ObjectStore staging, String key) throws IOException {
        StoredObject there = staging.readBack(key)
                .orElseThrow(() -> new StoreException("a file of this run is gone: " + staging.describe(key)));
        return staging.read(key, 0, there.size());
    }

    static void lines(ObjectStore staging, String key, Lines lines) throws IOException {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(open(staging, key), StandardCharsets.UTF_8))) {
            for (Optional<String> line = Optional.ofNullable(in.readLine());
                    line.isPresent();
                    line = Optional.ofNullable(in.readLine())) {
                lines.accept(line.get());
            }
        }
    }
}
