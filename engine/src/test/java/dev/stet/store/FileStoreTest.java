package dev.stet.store;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

final class FileStoreTest extends ObjectStoreContract {
    @TempDir
    Path folder;

    private FileStore store;
    private FileStore another;

    @BeforeEach
    void open() {
        store = new FileStore(folder.resolve("deep/sink"), "test", folder.resolve("spill"));
        another = new FileStore(folder.resolve("deep/sink"), "test", folder.resolve("spill"));
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected ObjectStore another() {
        return another;
    }
}
