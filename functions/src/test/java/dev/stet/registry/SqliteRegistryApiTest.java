package dev.stet.registry;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteRegistryApiTest extends RegistryApiContract {
    @TempDir
    Path folder;

    private RegistryStore opened;

    @Override
    protected RegistryStore open() throws IOException {
        opened = SqliteRegistryStore.open(folder);
        return opened;
    }

    @AfterEach
    void close() throws IOException {
        opened.close();
    }
}
