package dev.stet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    // The root.

    @Test
    void aMissingSourceIsNamed() {
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> new FileSource(none, EtagCache.NONE, folder).list(KeyRange.ALL))
                .isInstanceOf(StoreException.class)
                .hasMessage("no such file or directory: " + none);
    }

    @Test
    void aFileIsNoSource() throws IOException {
        put("file", bytes("x"));
        Path file = root.resolve("file");
        assertThatThrownBy(() -> new FileSource(file, EtagCache.NONE, folder).list(KeyRange.ALL))
                .isInstanceOf(StoreException.class)
                .hasMessage("not a directory: " + file);
    }

    @Test
    void aSourceThatGoesAwayStopsTheRun() throws IOException {
        put("k", bytes("x"));
        ObjectInfo object = objects(KeyRange.ALL).getFirst();
        Files.move(root, folder.resolve("moved"));
        assertThatThrownBy(() -> read(object))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(root.toString());
    }

    @Test
    void theRootMayBeALink() throws IOException {
        put("k", bytes("x"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), root);
        source = new FileSource(link, EtagCache.NONE, folder);
        assertThat(keys(KeyRange.ALL)).containsExactly("k");
    }

    // What is no plain file.

    @Test
    void emptyFoldersYieldNothing() throws IOException {
        Files.createDirectories(root.resolve("a/b/c"));
        put("b/x", bytes("x"));
        Files.createDirectories(root.resolve("z"));
        assertThat(keys(KeyRange.ALL)).containsExactly("b/x");
    }

    @Test
    void linksToFilesAreFollowed() throws IOException {
        Files.write(folder.resolve("outside"), bytes("of the link"));
        Files.createSymbolicLink(root.resolve("link"), folder.resolve("outside"));
        ObjectInfo object = objects(KeyRange.ALL).getFirst();
        assertThat(object.key()).isEqualTo("link");
        assertThat(object.size()).isEqualTo(11);
        assertThat(read(object)).isEqualTo(bytes("of the link"));
        assertThat(source.head("link")).contains(object);
    }

    @Test
    void otherLinksAreNamed() throws IOException {
        Files.createDirectory(folder.resolve("other"));
        Files.write(folder.resolve("other/x"), bytes("x"));
        Files.createSymbolicLink(root.resolve("a-folder"), folder.resolve("other"));
        Files.createSymbolicLink(root.resolve("b-nothing"), folder.resolve("none"));
        Files.createSymbolicLink(root.resolve("c-loop"), root.resolve("c-loop"));
        assertThat(entries(KeyRange.ALL))
                .hasSize(3)
                .startsWith(
                        new Unlistable("a-folder", "a link to a directory"),
                        new Unlistable("b-nothing", "a link to nothing"));
        assertThat(entries(KeyRange.ALL).getLast())
                .isInstanceOfSatisfying(
                        Unlistable.class, u -> assertThat(u.why()).contains("symbolic links"));
        assertThat(source.head("a-folder/x")).isEmpty();
        assertThat(entries(new KeyRange("a-folder", Optional.of("b")))).isEmpty();
    }

    @Test
    void socketsAndPipesAreNamed() throws Exception {
        put("k", bytes("x"));
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(root.resolve("socket")));
            assertThat(entries(KeyRange.ALL)).contains(new Unlistable("socket", "a socket"));
            assertThatThrownBy(() -> source.head("socket"))
                    .isInstanceOf(UnreadableObjectException.class)
                    .hasMessage("a socket: " + root.resolve("socket"));
        }
        assumeThat(run("mkfifo", root.resolve("pipe").toString())).as("mkfifo").isTrue();
        assertThat(entries(KeyRange.ALL)).contains(new Unlistable("pipe", "a named pipe"));
        assertThat(keys(KeyRange.ALL)).containsExactly("k", "pipe", "socket");
    }

    @Test
    void aPipeInAFilesPlaceIsNotOpened() throws Exception {
        put("k", bytes("x"));
        ObjectInfo object = objects(KeyRange.ALL).getFirst();
        remove("k");
        assumeThat(run("mkfifo", root.resolve("k").toString())).as("mkfifo").isTrue();
        assertThatThrownBy(() -> read(object)).isInstanceOf(ObjectChangedException.class);
    }

    @Test
    void namesThatAreNotUtf8AreNamedInTheirPlace() throws Exception {
        put("a", bytes("x"));
        put("c", bytes("x"));
        put("b\uFFFD.json", bytes("x"));
        assumeThat(run("sh", "-c", "cd \"$0\" && echo x > \"$(printf 'b\\377.json')\"", root.toString()))
                .as("a shell, and a file system that takes any bytes")
                .isTrue();
        assertThat(entries(KeyRange.ALL)).hasSize(4);
        assertThat(entries(KeyRange.ALL))
                .contains(new Unlistable("b\uFFFD.json", "its name is not valid UTF-8 (b\\xFF.json)"));
        assertThat(keys(KeyRange.ALL)).containsExactly("a", "b\uFFFD.json", "b\uFFFD.json", "c");
        assertThat(entries(new KeyRange("b\uFFFD.json", Optional.empty()))).hasSize(1);
    }

    @Test
    void foldersThatCannotBeReadAreNamed() throws IOException {
        put("dir/x", bytes("x"));
        put("dir-", bytes("x"));
        put("e", bytes("x"));
        Files.setPosixFilePermissions(root.resolve("dir"), PosixFilePermissions.fromString("---------"));
        try {
            assumeThat(Files.isReadable(root.resolve("dir")))
                    .as("root may read everything")
                    .isFalse();
            assertThat(entries(KeyRange.ALL)).contains(new Unlistable("dir/", "permission denied"));
            assertThat(keys(KeyRange.ALL)).containsExactly("dir-", "dir/", "e");
            assertThat(entries(new KeyRange("dir/", Optional.empty()))).hasSize(1);
        } finally {
            Files.setPosixFilePermissions(root.resolve("dir"), PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Root may read any file on a disk; a few of the kernel's say no to root as well. */
    @Test
    void filesThatMayNotBeReadAreToldFromThoseThatFail() throws IOException {
        Path writeOnly = Path.of("/proc/sys/vm/compact_memory");
        Path noBytes = Path.of("/proc/self/mem");
        assumeThat(writeOnly).as("Linux").exists();
        Files.createSymbolicLink(root.resolve("denied"), writeOnly);
        Files.createSymbolicLink(root.resolve("failing"), noBytes);
        List<ObjectInfo> objects = objects(KeyRange.ALL);
        assertThatThrownBy(() -> read(objects.getFirst()))
                .hasMessage("permission denied: " + root.resolve("denied"))
                .isInstanceOfSatisfying(
                        UnreadableObjectException.class,
                        e -> assertThat(e.why()).isEqualTo(UnreadableObjectException.Why.ACCESS_DENIED));
        assertThatThrownBy(() -> read(objects.getLast()))
                .hasMessage("input/output error: " + root.resolve("failing"))
                .isInstanceOfSatisfying(
                        UnreadableObjectException.class,
                        e -> assertThat(e.why()).isEqualTo(UnreadableObjectException.Why.UNREADABLE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "k/", "/k", "./k", "dir/../k", "..", "dir//k", "k\0", "dir/./x"})
    void aKeyHasOneSpelling(String key) throws IOException {
        put("k", bytes("x"));
        put("dir/k", bytes("x"));
        assertThat(source.head(key)).isEmpty();
    }

    // Listing.

    @Test
    void whatVanishesAfterItsNameWasReadIsSkipped() throws IOException {
        putAll(List.of("a", "b", "c/x", "d"));
        try (ObjectListing listing = source.list(KeyRange.ALL)) {
            assertThat(listing.next()).isPresent();
            remove("b");
            remove("c/x");
            Files.delete(root.resolve("c"));
            assertThat(listing.next().map(ListEntry::key)).contains("d");
            assertThat(listing.next()).isEmpty();
            assertThat(listing.next()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 499, 500, 501})
    void aHugeFolderIsSortedOnDisk(int namesHeld) throws IOException {
        List<String> keys = new ArrayList<>();
        int count = namesHeld == 1 ? 60 : 500;
        for (int i = 0; i < count; i++) {
            keys.add("dir/%08x-%s".formatted(i * 0x9E3779B1, i % 2 == 0 ? "\uD83D\uDE00" : "\uFF5E"));
        }
        for (String key : keys) {
            put(key, new byte[0]);
        }
        source = new FileSource(root, EtagCache.NONE, folder.resolve("spill"), namesHeld, Clock.systemUTC());
        List<String> sorted = sorted(keys);
        assertThat(keys(KeyRange.ALL)).containsExactlyElementsOf(sorted);
        assertThat(keys(new KeyRange(sorted.get(10), Optional.of(sorted.get(50)))))
                .containsExactlyElementsOf(sorted.subList(11, 51));
        if (namesHeld < count) {
            assertThat(folder.resolve("spill")).isEmptyDirectory();
        } else {
            assertThat(folder.resolve("spill")).doesNotExist();
        }
    }

    @Test
    void foldersBeforeTheRangeAreNotRead() throws IOException {
        putAll(List.of("a/x", "b/x", "c/x"));
        // A folder that is read while a link in it is broken would name it; one that is not does not.
        Files.createSymbolicLink(root.resolve("a/broken"), root.resolve("none"));
        assertThat(keys(new KeyRange("a/y", Optional.of("b/z")))).containsExactly("b/x");
        assertThat(keys(new KeyRange("a/a", Optional.of("b/z")))).containsExactly("a/broken", "a/x", "b/x");
    }

    // Content.

    @Test
    void theEtagIsTheHashOfTheContent() throws IOException {
        put("empty", new byte[0]);
        put("k", random(500_000));
        List<ObjectInfo> objects = objects(KeyRange.ALL);
        assertThat(objects).allSatisfy(o -> assertThat(o.etag()).isEmpty());
        assertThat(source.identify(objects.getFirst()).etag()).isEqualTo("99aa06d3014798d86001c324468d497f");
        HashValue128 hash = Hashing.xxh3_128().hashBytesTo128Bits(random(500_000));
        assertThat(source.identify(objects.getLast()).etag())
                .isEqualTo("%016x%016x".formatted(hash.getMostSignificantBits(), hash.getLeastSignificantBits()));
    }

    @Test
    void aFileThatGrowsWhileItIsReadIsRefused() throws IOException {
        put("k", random(100_000));
        try (ObjectRead read = source.open(objects(KeyRange.ALL).getFirst())) {
            read.body().readNBytes(50_000);
            Files.write(root.resolve("k"), bytes("more"), StandardOpenOption.APPEND);
            assertThatThrownBy(() -> read.body().readAllBytes()).isInstanceOf(ObjectChangedException.class);
        }
    }

    @Test
    void aFileThatShrinksWhileItIsReadIsRefused() throws IOException {
        put("k", random(100_000));
        try (ObjectRead read = source.open(objects(KeyRange.ALL).getFirst())) {
            read.body().readNBytes(50_000);
            Files.write(root.resolve("k"), random(60_000));
            assertThatThrownBy(() -> read.body().readAllBytes()).isInstanceOf(ObjectChangedException.class);
        }
    }

    @Test
    void aFileThatGrowsAfterItsEndWasReadIsRefused() throws IOException {
        put("k", random(1_000));
        try (ObjectRead read = source.open(objects(KeyRange.ALL).getFirst())) {
            read.body().readAllBytes();
            Files.write(root.resolve("k"), bytes("more"), StandardOpenOption.APPEND);
            assertThatThrownBy(read::finish).isInstanceOf(ObjectChangedException.class);
        }
    }

    @Test
    void aFileDeletedWhileItIsReadIsRefused() throws IOException {
        put("k", random(1_000));
        try (ObjectRead read = source.open(objects(KeyRange.ALL).getFirst())) {
            read.body().readAllBytes();
            remove("k");
            assertThatThrownBy(read::finish).isInstanceOf(ObjectChangedException.class);
        }
    }

    @Test
    void sizeAndTimeOfTheOldFileHideNoChange() throws IOException {
        put("replaced", bytes("old content"));
        put("rewritten", bytes("old content"));
        List<ObjectInfo> old = objects(KeyRange.ALL);
        FileTime before = Files.getLastModifiedTime(root.resolve("rewritten"));

        Path other = Files.write(folder.resolve("other"), bytes("new content"));
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(root.resolve("replaced")));
        Files.move(other, root.resolve("replaced"), StandardCopyOption.REPLACE_EXISTING);
        Files.write(root.resolve("rewritten"), bytes("new content"));
        Files.setLastModifiedTime(root.resolve("rewritten"), before);

        for (ObjectInfo object : old) {
            assertThatThrownBy(() -> read(object)).isInstanceOf(ObjectChangedException.class);
        }
    }

    @Test
    void finishingBeforeTheEndIsAMistakeOfTheCaller() throws IOException {
        put("k", random(1_000));
        try (ObjectRead read = source.open(objects(KeyRange.ALL).getFirst())) {
            read.body().readNBytes(999);
            assertThatThrownBy(read::finish).isInstanceOf(IllegalStateException.class);
            read.body().readNBytes(1);
            assertThat(read.finish().size()).isEqualTo(1_000);
        }
    }

    // The cache.

    @Test
    void aSecondListingKnowsWhatWasRead() throws IOException {
        MapCache cache = new MapCache();
        source = later(cache);
        putAll(ODD_KEYS);
        Map<String, String> etags = new HashMap<>();
        for (ObjectInfo object : objects(KeyRange.ALL)) {
            assertThat(object.etag()).isEmpty();
            etags.put(object.key(), source.identify(object).etag());
        }
        assertThat(objects(KeyRange.ALL)).hasSize(ODD_KEYS.size()).allSatisfy(o -> {
            assertThat(o.etag()).contains(etags.get(o.key()));
            assertThat(source.head(o.key())).contains(o);
        });
    }

    @Test
    void aTouchedFileIsReadAgainAndIsTheSame() throws IOException {
        source = later(new MapCache());
        put("k", bytes("content"));
        ObjectIdentity first = source.identify(objects(KeyRange.ALL).getFirst());
        Files.setLastModifiedTime(root.resolve("k"), FileTime.from(Instant.EPOCH));
        ObjectInfo touched = objects(KeyRange.ALL).getFirst();
        assertThat(touched.etag()).isEmpty();
        assertThat(source.identify(touched)).isEqualTo(first);
        assertThat(objects(KeyRange.ALL).getFirst().etag()).contains(first.etag());
    }

    @Test
    void aFileChangedJustNowIsNotRemembered() throws IOException {
        MapCache cache = new MapCache();
        source = new FileSource(root, cache, folder, 100, Clock.systemUTC());
        put("k", bytes("content"));
        read(objects(KeyRange.ALL).getFirst());
        assertThat(cache.known).isEmpty();
        Files.setLastModifiedTime(root.resolve("k"), FileTime.from(Instant.now().minusSeconds(10)));
        read(objects(KeyRange.ALL).getFirst());
        assertThat(cache.known).hasSize(1);
    }

    /** A source that looks at its files a minute after they were written. */
    private FileSource later(EtagCache cache) {
        Clock clock = Clock.offset(Clock.system(ZoneOffset.UTC), Duration.ofMinutes(1));
        return new FileSource(root, cache, folder, DirectoryTree.NAMES_HELD, clock);
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static final class MapCache implements EtagCache {
        private final Map<String, String> known = new HashMap<>();

        @Override
        public List<Optional<String>> lookup(List<ObjectInfo> ordered) {
            return ordered.stream()
                    .map(o -> Optional.ofNullable(known.get(o.key() + " " + o.revision())))
                    .toList();
        }

        @Override
        public void remember(String key, String revision, String etag) {
            known.put(key + " " + revision, etag);
        }

        @Override
        public void close() {}
    }
}
