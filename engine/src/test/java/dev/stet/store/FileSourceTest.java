package dev.stet.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

final class FileSourceTest extends SourceStoreContract {
    @TempDir
    Path folder;

    private Path root;
    private FileSource source;

    @BeforeEach
    void open() throws IOException {
        root = Files.createDirectory(folder.resolve("source"));
        source = new FileSource(root, EtagCache.NONE, folder.resolve("spill"));
    }

    @Override
    protected SourceStore source() {
        return source;
    }

    @Override
    protected void put(String key, byte[] content) throws IOException {
        Path file = root.resolve(key);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    @Override
    protected void remove(String key) throws IOException {
        Files.delete(root.resolve(key));
    }
}
