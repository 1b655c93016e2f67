package dev.stet.corpus;

import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A landed tree as a stranger sees it: relative paths and bytes. */
interface SinkTree {
    /** Every file, hidden and temporary ones too, sorted. */
    List<String> files() throws IOException;

    InputStream open(String path) throws IOException;

    static SinkTree of(Path directory) {
        return new SinkTree() {
            @Override
            public List<String> files() throws IOException {
                try (Stream<Path> walk = Files.walk(directory)) {
                    return walk.filter(path -> !Files.isDirectory(path))
                            .map(path -> directory.relativize(path).toString())
                            .sorted()
                            .toList();
                }
            }

            @Override
            public InputStream open(String path) throws IOException {
                return new BufferedInputStream(Files.newInputStream(directory.resolve(path)), 1 << 16);
            }
        };
    }

    static SinkTree of(ObjectStore store) {
        return new SinkTree() {
            @Override
            public List<String> files() throws IOException {
                List<String> files = new ArrayList<>();
                try (ObjectListing listing = store.list(KeyRange.ALL)) {
                    for (Optional<ListEntry> entry = listing.next(); entry.isPresent(); entry = listing.next()) {
                        files.add(entry.get().key());
                    }
                }
                return files;
            }

            @Override
            public InputStream open(String path) throws IOException {
                long size = store.readBack(path)
                        .orElseThrow(() -> new IOException("listed and gone: " + path))
                        .size();
                return store.read(path, 0, size);
            }
        };
    }
}
