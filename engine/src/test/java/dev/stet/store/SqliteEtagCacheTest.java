package dev.stet.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteEtagCacheTest {
    @TempDir
    Path folder;

    private static ObjectInfo object(String key, String revision) {
        return new ObjectInfo(key, 1, Optional.empty(), revision, Instant.EPOCH);
    }

    private static List<ObjectInfo> objects(List<String> keys, String revision) {
        return SourceStoreContract.sorted(keys).stream()
                .map(k -> object(k, revision))
                .toList();
    }

    @Test
    void knowsTheLastVersionOfAKeyAndNoOther() {
        try (EtagCache cache = SqliteEtagCache.of(folder, "source")) {
            assertThat(cache.lookup(object("k", "r1"))).isEmpty();
            cache.remember("k", "r1", "e1");
            assertThat(cache.lookup(object("k", "r1"))).contains("e1");
            cache.remember("k", "r2", "e2");
            assertThat(cache.lookup(object("k", "r1"))).isEmpty();
            assertThat(cache.lookup(object("k", "r2"))).contains("e2");
            assertThat(cache.lookup(object("K", "r2"))).isEmpty();
        }
        try (EtagCache again = SqliteEtagCache.of(folder, "source")) {
            assertThat(again.lookup(object("k", "r1"))).isEmpty();
            assertThat(again.lookup(object("k", "r2"))).contains("e2");
            again.remember("k", "r3", "e3");
            assertThat(again.lookup(object("k", "r2"))).isEmpty();
        }
    }

    @Test
    void sourcesAreKeptApart() {
        try (EtagCache one = SqliteEtagCache.of(folder, "one")) {
            one.remember("k", "r", "e");
        }
        try (EtagCache two = SqliteEtagCache.of(folder, "two")) {
            assertThat(two.lookup(object("k", "r"))).isEmpty();
        }
    }

    @Test
    void findsEveryKindOfKey() {
        try (EtagCache cache = SqliteEtagCache.of(folder, "source")) {
            SourceStoreContract.ODD_KEYS.forEach(k -> cache.remember(k, "r", "etag of " + k));
        }
        try (EtagCache cache = SqliteEtagCache.of(folder, "source")) {
            List<ObjectInfo> objects = objects(SourceStoreContract.ODD_KEYS, "r");
            assertThat(cache.lookup(objects))
                    .isEqualTo(objects.stream()
                            .map(o -> Optional.of("etag of " + o.key()))
                            .toList());
        }
    }

    @Test
    void hitsMissesAndFilesThatAreGoneMayMix() {
        try (EtagCache cache = SqliteEtagCache.of(folder, "source")) {
            for (int i = 0; i < 20_000; i++) {
                cache.remember("%06d".formatted(i), "r" + i % 2, "e" + i);
            }
            // Every 10th, so that thousands of rows in between belong to no object.
            List<ObjectInfo> objects = IntStream.range(0, 1_000)
                    .mapToObj(i -> object("%06d".formatted(i * 10) + (i % 7 == 0 ? "x" : ""), "r0"))
                    .toList();
            List<Optional<String>> etags = cache.lookup(objects);
            for (int i = 0; i < 1_000; i++) {
                assertThat(etags.get(i)).isEqualTo(i % 7 == 0 ? Optional.empty() : Optional.of("e" + i * 10));
            }
        }
    }

    @Test
    void aDamagedFileIsMadeAnew() throws IOException {
        Path file = folder.resolve("cache.sqlite");
        Files.write(file, new byte[8_192]);
        Files.writeString(file, "this is no database at all, ".repeat(500));
        try (EtagCache cache = new SqliteEtagCache(file)) {
            assertThat(cache.lookup(object("k", "r"))).isEmpty();
            cache.remember("k", "r", "e");
        }
        try (EtagCache cache = new SqliteEtagCache(file)) {
            assertThat(cache.lookup(object("k", "r"))).contains("e");
        }
    }

    @Test
    void whereNothingCanBeWrittenNothingIsRemembered() {
        try (EtagCache cache = new SqliteEtagCache(folder.resolve("none/cache.sqlite"))) {
            for (int i = 0; i < 1_500; i++) {
                cache.remember("k" + i, "r", "e");
            }
            assertThat(cache.lookup(object("k0", "r"))).isEmpty();
        }
    }

    @Test
    void manyThreadsShareIt() {
        try (EtagCache cache = SqliteEtagCache.of(folder, "source")) {
            try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
                for (int t = 0; t < 8; t++) {
                    int thread = t;
                    pool.execute(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            cache.remember(thread + "/" + i, "r", "e" + i);
                            if (i % 100 == 0) {
                                assertThat(cache.lookup(object(thread + "/" + i, "r")))
                                        .contains("e" + i);
                            }
                        }
                    });
                }
            }
            for (int t = 0; t < 8; t++) {
                assertThat(cache.lookup(object(t + "/999", "r"))).contains("e999");
            }
        }
    }
}
