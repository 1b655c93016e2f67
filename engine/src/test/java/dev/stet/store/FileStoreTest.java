package dev.stet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileStoreTest extends ObjectStoreContract {
    @TempDir
    Path folder;

    private Path root;
    private FileStore store;
    private FileStore another;

    @BeforeEach
    void open() {
        root = folder.resolve("deep/sink");
        store = at(root, "test");
        another = at(root, "test");
    }

    private FileStore at(Path place, String owner) {
        return new FileStore(place, owner, folder.resolve("spill"));
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected ObjectStore another() {
        return another;
    }

    // Temporary files.

    @Test
    void unfinishedFilesLieInTheTemporaryFolderOnly() throws IOException {
        try (ObjectWriter writer = store.create("a/k")) {
            writer.write(bytes("x"), 0, 1);
            assertThat(files(root)).hasSize(1).allMatch(f -> f.startsWith(".stet-tmp/test/"));
            writer.complete(crc(bytes("x")));
        }
        assertThat(files(root)).containsExactly("a/k");
        store.removeTemporaryFolder();
        assertThat(root.resolve(".stet-tmp")).doesNotExist();
        store.removeTemporaryFolder();
    }

    @Test
    void cleaningLeavesTheFilesOfOtherOwners() throws IOException {
        FileStore other = at(root, "other");
        try (ObjectWriter mine = store.create("k");
                ObjectWriter others = other.create("k")) {
            mine.write(bytes("x"), 0, 1);
            others.write(bytes("y"), 0, 1);
            another.cleanTemporary();
            another.removeTemporaryFolder();
            assertThat(root.resolve(".stet-tmp/test")).doesNotExist();
            assertThatThrownBy(() -> mine.complete(crc(bytes("x")))).hasMessageContaining("aborted");
            assertThat(others.complete(crc(bytes("y")))).isEqualTo(ObjectWriter.Outcome.CREATED);
        }
        other.removeTemporaryFolder();
        assertThat(root.resolve(".stet-tmp")).doesNotExist();
    }

    @Test
    void aFolderOfThatNameBelowTheRootIsAnOrdinaryOne() throws IOException {
        create("a/.stet-tmp/k", bytes("x"));
        assertThat(keys(KeyRange.ALL)).containsExactly("a/.stet-tmp/k");
    }

    @Test
    void preparingLeavesNoFiles() throws IOException {
        store.prepare();
        assertThat(files(root)).isEmpty();
        store.removeTemporaryFolder();
        assertThat(root).isEmptyDirectory();
    }

    // Keys.

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "/k", "k/", "a//k", ".", "..", "a/../k", "./k", "a/.", "k\0", ".stet-tmp", ".stet-tmp/k"
            })
    void keysThatAreNoPathsAreRefused(String key) {
        assertThatThrownBy(() -> store.create(key))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(root.toString());
        assertThatThrownBy(() -> store.delete(key)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.readBack(key)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.read(key, 0, 1)).isInstanceOf(StoreException.class);
    }

    @Test
    void aNameHasAtMost255Bytes() throws IOException {
        assertThat(create("a/" + "x".repeat(255), bytes("x"))).isEqualTo(ObjectWriter.Outcome.CREATED);
        assertThat(create("a/" + "\u00E4".repeat(127), bytes("x"))).isEqualTo(ObjectWriter.Outcome.CREATED);
        for (String name : List.of("x".repeat(256), "\u00E4".repeat(128), "\uD83D\uDE00".repeat(64))) {
            assertThatThrownBy(() -> store.create("a/" + name)).hasMessageContaining("more than 255 bytes");
        }
    }

    // What stands in the way.

    @Test
    void aFileInTheSinksPlaceIsNamed() throws IOException {
        Path file = Files.write(folder.resolve("file"), bytes("the user's"));
        for (Path place : List.of(file, file.resolve("below"), file.resolve("far/below"))) {
            FileStore blocked = at(place, "test");
            assertThatThrownBy(blocked::prepare)
                    .isInstanceOf(StoreException.class)
                    .hasMessage("not a directory: " + file);
            assertThatThrownBy(() -> blocked.create("k"))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("not a directory: " + file);
        }
        assertThat(file).hasContent("the user's");
    }

    @Test
    void aFileWhereAFolderWouldBeIsNamed() throws IOException {
        create("a", bytes("x"));
        for (String key : List.of("a/k", "a/b/k")) {
            assertThatThrownBy(() -> create(key, bytes("y")))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("not a directory: " + root.resolve("a"));
        }
        store.delete("a/k");
    }

    @Test
    void aFolderWhereAnObjectWouldBeIsNamed() throws IOException {
        Files.createDirectories(root.resolve("a/k"));
        assertThatThrownBy(() -> create("a/k", bytes("x")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(root.resolve("a/k").toString());
        store.delete("a/k");
        assertThat(root.resolve("a/k")).isDirectory();
    }

    @Test
    void aLinkToNothingWhereAnObjectWouldBeIsNamed() throws IOException {
        Files.createDirectories(root);
        Files.createSymbolicLink(root.resolve("k"), folder.resolve("none"));
        assertThatThrownBy(() -> create("k", bytes("x")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(root.resolve("k").toString());
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void foldersStayWhenTheirLastObjectIsDeleted() throws IOException {
        create("a/b/k", bytes("x"));
        store.delete("a/b/k");
        assertThat(root.resolve("a/b")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Operation not permitted", "Operation not supported", "Function not implemented"})
    void aFileSystemWithoutHardLinksIsRefused(String reason) throws IOException {
        FileStore without = new FileStore(
                root, "test", new DirectoryTree(root, FileStore.TEMPORARY_FOLDER, folder, 100), (name, existing) -> {
                    throw new FileSystemException(name.toString(), existing.toString(), reason);
                });
        assertThatThrownBy(without::prepare)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no hard links")
                .hasMessageContaining(root.toString());
        assertThatThrownBy(() -> create(without, "k", bytes("x"))).hasMessageContaining("no hard links");
        without.removeTemporaryFolder();
        assertThat(files(root)).isEmpty();
    }

    @Test
    void aFullDiskIsNamedAndNothingHalfWrittenIsVisible() throws Exception {
        onSmallDisk(disk -> {
            FileStore full = at(disk.resolve("sink"), "test");
            byte[] large = random(4 << 20);
            assertThat(create(full, "small", random(1_000))).isEqualTo(ObjectWriter.Outcome.CREATED);
            try (ObjectWriter writer = full.create("large")) {
                assertThatThrownBy(() -> writer.write(large, 0, large.length))
                        .isInstanceOf(StoreException.class)
                        .hasMessage("no space left on device: " + disk.resolve("sink/large")
                                + "; free some space and run the same command again");
                writer.abort();
            }
            assertThat(files(disk)).containsExactly("sink/small");
            assertThat(create(full, "k", random(1_000))).isEqualTo(ObjectWriter.Outcome.CREATED);
        });
    }

    @Test
    void aReadOnlyFileSystemIsNamed() throws Exception {
        onSmallDisk(disk -> {
            FileStore there = at(disk.resolve("sink"), "test");
            create(there, "k", bytes("x"));
            assumeThat(run("mount", "-o", "remount,ro", disk.toString()))
                    .as("may remount")
                    .isTrue();
            FileStore fresh = at(disk.resolve("fresh"), "test");
            assertThatThrownBy(fresh::prepare)
                    .isInstanceOf(StoreException.class)
                    .hasMessage("read-only file system: " + disk.resolve("fresh"));
            assertThatThrownBy(() -> there.create("l"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("read-only file system: " + disk.resolve("sink"));
            assertThatThrownBy(() -> there.delete("k")).hasMessageStartingWith("read-only file system");
            assertThat(read(there, "k", 0, 1)).isEqualTo(bytes("x"));
        });
    }

    // Durability.

    @Test
    void allFoldersOnTheWayAreSynced() throws IOException {
        create("a/b/k", bytes("x"));
        assertThat(store.unsynced())
                .contains(root.resolve("a/b"), root.resolve("a"), root, folder.resolve("deep"))
                .allMatch(p -> p.startsWith(folder));
        store.flush();
        assertThat(store.unsynced()).isEmpty();
        create("a/b/l", bytes("x"));
        assertThat(store.unsynced()).containsExactly(root.resolve("a/b"));
        store.flush();
        // Found rather than made: whoever made it may not have lived to sync it.
        create(another, "a/b/l", bytes("x"));
        assertThat(another.unsynced()).contains(root.resolve("a/b"), root.resolve("a"), root);
    }

    @Test
    void manyFoldersAreSyncedTogether() throws IOException {
        for (int i = 0; i < 100; i++) {
            create("p=" + i + "/k", bytes("x"));
        }
        assertThat(store.unsynced()).hasSizeGreaterThan(100);
        store.flush();
        assertThat(store.unsynced()).isEmpty();
    }

    @Test
    void aFolderThatIsGoneNeedsNoSync() throws IOException {
        create("a/b/k", bytes("x"));
        Files.delete(root.resolve("a/b/k"));
        Files.delete(root.resolve("a/b"));
        store.flush();
    }

    // Letter case.

    @Test
    void theProbeLeavesNothingBehind() throws IOException {
        Files.createDirectories(root);
        assertThat(CaseProbe.FILES.distinguishesCase(root))
                .isEqualTo(Files.notExists(Path.of(root.toString().replace("sink", "SINK"))));
        assertThat(root).isEmptyDirectory();
    }

    private interface OnDisk {
        void run(Path disk) throws Exception;
    }

    /** A megabyte of its own, where mounting is allowed. */
    private void onSmallDisk(OnDisk test) throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "none", disk.toString()))
                .as("may mount")
                .isTrue();
        try {
            test.run(disk);
        } finally {
            assertThat(run("umount", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> files(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            return all.filter(Files::isRegularFile)
                    .map(f -> top.relativize(f).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void a_root_that_cannot_be_made_is_named() {
        Path root = Path.of("/proc/stet-sink");
        assumeThat(Path.of("/proc/self")).isDirectory();
        FileStore store = new FileStore(root, "owner", folder);
        assertThatThrownBy(store::prepare).isInstanceOf(StoreException.class).hasMessageContaining("/proc/stet-sink");
    }
}
