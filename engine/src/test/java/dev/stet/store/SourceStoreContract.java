package dev.stet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link SourceStore} must do. A subclass brings one adapter, empty at the start of each test, and the way its owner fills it. */
public abstract class SourceStoreContract {
    protected static final List<String> ODD_KEYS = List.of(
            "a b/c d.json",
            "a+b/c+d.json",
            "100%/x%20y.json",
            "%41.json",
            "p=1/q=2/=.json",
            "#hash?query&amp;.json",
            "'single' \"double\" `back`.json",
            "back\\slash.json",
            "trailing space .json ",
            "...",
            ".hidden/.file",
            "-dash",
            "~tilde",
            "grün/ä.json",
            "gru\u0308n/a\u0308.json",
            "日本/語.json",
            "\uE000.json",
            "\uFFFD.json",
            "\uFF5E.json",
            "\uD83D\uDE00.json",
            "\uD83D\uDE00/x.json",
            "dir/x",
            "dir-1/x",
            "dir.json",
            "dir!",
            "dir0",
            "dir/sub/x",
            "dir/sub-x",
            "dir/sub.x");

    protected abstract SourceStore source();

    /** Creates or replaces an object, as the owner of the source does. */
    protected abstract void put(String key, byte[] content) throws IOException;

    protected abstract void remove(String key) throws IOException;

    @Test
    void anEmptySourceListsNothing() throws IOException {
        assertThat(keys(KeyRange.ALL)).isEmpty();
        assertThat(source().head("x")).isEmpty();
    }

    @Test
    void listsInTheOrderOfUtf8Bytes() throws IOException {
        putAll(ODD_KEYS);
        assertThat(keys(KeyRange.ALL)).containsExactlyElementsOf(sorted(ODD_KEYS));
    }

    /** Stores tell seconds; their clock is this machine's in all suites. */
    @Test
    void tellsWhenAnObjectWasWritten() throws IOException {
        Instant before = Instant.now().minusSeconds(2);
        put("k", new byte[] {1});
        Instant after = Instant.now().plusSeconds(2);
        assertThat(source().head("k").orElseThrow().modified()).isBetween(before, after);
        assertThat(objects(KeyRange.ALL).getFirst().modified()).isBetween(before, after);
    }

    @Test
    void readsFromAnOffsetOn() throws IOException {
        byte[] content = new byte[300_000];
        new Random(5).nextBytes(content);
        put("k", content);
        ObjectInfo info = source().head("k").orElseThrow();
        for (long offset : new long[] {0, 1, 131_072, 299_999}) {
            try (ObjectRead read = source().open(info, offset)) {
                assertThat(read.body().readAllBytes())
                        .isEqualTo(java.util.Arrays.copyOfRange(content, (int) offset, content.length));
                assertThat(read.finish().size()).isEqualTo(300_000);
            }
        }
    }

    @Test
    void readsObjectsOfOddNames() throws IOException {
        putAll(ODD_KEYS);
        for (ObjectInfo object : objects(KeyRange.ALL)) {
            assertThat(read(object)).isEqualTo(content(object.key()));
            assertThat(source().head(object.key())).hasValueSatisfying(h -> {
                assertThat(h.size()).isEqualTo(object.size());
                assertThat(h.revision()).isEqualTo(object.revision());
            });
        }
    }

    @Test
    void anyRangeListsTheKeysInIt() throws IOException {
        putAll(ODD_KEYS);
        List<String> all = sorted(ODD_KEYS);
        List<String> bounds = new ArrayList<>(all);
        // Bounds that are no keys: before, behind and between, on folders and inside names.
        bounds.addAll(List.of(
                "",
                "dir",
                "dir/",
                "dir/sub",
                "dir/sub/",
                "dir/t",
                "dir0/",
                "e",
                "p=1/",
                "p=1/q",
                "\uFFFF",
                "\uDBFF\uDFFF"));
        for (String after : bounds) {
            List<Optional<String>> ends = new ArrayList<>(List.of(Optional.empty()));
            bounds.stream()
                    .filter(b -> b.length() % 3 == after.length() % 3)
                    .map(Optional::of)
                    .forEach(ends::add);
            for (Optional<String> upTo : ends) {
                KeyRange range = new KeyRange(after, upTo);
                assertThat(keys(range))
                        .as("%s", range)
                        .containsExactlyElementsOf(
                                all.stream().filter(range::contains).toList());
            }
        }
    }

    @Test
    void rangesThatTouchHoldEachKeyOnce() throws IOException {
        putAll(ODD_KEYS);
        List<String> all = sorted(ODD_KEYS);
        List<String> seen = new ArrayList<>();
        String after = "";
        for (int i = 3; i < all.size(); i += 4) {
            seen.addAll(keys(new KeyRange(after, Optional.of(all.get(i)))));
            after = all.get(i);
        }
        seen.addAll(keys(new KeyRange(after, Optional.empty())));
        assertThat(seen).containsExactlyElementsOf(all);
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 1_000, 1_001, 10_500})
    void listsAnyNumberOfObjects(int count) throws IOException {
        List<String> all = new ArrayList<>();
        Random random = new Random(count);
        IntStream.range(0, count)
                .mapToObj(i -> "day=%02d/%08x-%05d".formatted(i % 7, random.nextInt(), i))
                .forEach(all::add);
        for (String key : all) {
            put(key, new byte[] {1});
        }
        List<String> sorted = sorted(all);
        assertThat(keys(KeyRange.ALL)).containsExactlyElementsOf(sorted);
        KeyRange middle = new KeyRange(sorted.get(count / 3), Optional.of(sorted.get(count / 2)));
        assertThat(keys(middle)).containsExactlyElementsOf(sorted.subList(count / 3 + 1, count / 2 + 1));
    }

    @Test
    void anEmptyObjectIsAnObject() throws IOException {
        put("empty", new byte[0]);
        ObjectInfo object = objects(KeyRange.ALL).getFirst();
        assertThat(object.size()).isZero();
        assertThat(read(object)).isEmpty();
    }

    @Test
    void identityIsTheSameByEveryWayToIt() throws IOException {
        put("k", random(200_000));
        ObjectInfo listed = objects(KeyRange.ALL).getFirst();
        ObjectIdentity identified = source().identify(listed);
        ObjectIdentity read;
        try (ObjectRead r = source().open(listed)) {
            assertThat(r.body().readAllBytes()).isEqualTo(random(200_000));
            read = r.finish();
        }
        assertThat(read).isEqualTo(identified);
        assertThat(read.key()).isEqualTo("k");
        assertThat(read.size()).isEqualTo(200_000);
        assertThat(read.etag()).isNotEmpty().doesNotContain("\"");
        objects(KeyRange.ALL).getFirst().etag().ifPresent(e -> assertThat(e).isEqualTo(read.etag()));
        assertThat(source().identify(source().head("k").orElseThrow())).isEqualTo(read);
    }

    @Test
    void otherContentHasAnotherEtag() throws IOException {
        put("k", bytes("one"));
        ObjectIdentity one = source().identify(objects(KeyRange.ALL).getFirst());
        put("k", bytes("two"));
        ObjectIdentity two = source().identify(objects(KeyRange.ALL).getFirst());
        assertThat(two.etag()).isNotEqualTo(one.etag());
        put("k", bytes("one"));
        assertThat(source().identify(objects(KeyRange.ALL).getFirst()).etag()).isEqualTo(one.etag());
    }

    @Test
    void bytesComeOneByOneToo() throws IOException {
        put("k", new byte[] {(byte) 0xFF, 0, 7});
        try (ObjectRead r = source().open(objects(KeyRange.ALL).getFirst())) {
            assertThat(r.body().read()).isEqualTo(0xFF);
            assertThat(r.body().read()).isEqualTo(0);
            assertThat(r.body().read()).isEqualTo(7);
            assertThat(r.body().read()).isEqualTo(-1);
            assertThat(r.body().read()).isEqualTo(-1);
            r.finish();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"longer than before", "tiny", "same size"})
    void aReplacedObjectCannotBeReadAsTheOldOne(String now) throws IOException {
        put("k", bytes("size same"));
        ObjectInfo old = objects(KeyRange.ALL).getFirst();
        put("k", bytes(now));
        assertThatThrownBy(() -> read(old)).isInstanceOf(ObjectChangedException.class);
        if (old.etag().isEmpty()) {
            assertThatThrownBy(() -> source().identify(old)).isInstanceOf(ObjectChangedException.class);
        }
        assertThat(read(objects(KeyRange.ALL).getFirst())).isEqualTo(bytes(now));
    }

    @Test
    void aDeletedObjectIsReportedAsThat() throws IOException {
        put("dir/k", bytes("x"));
        ObjectInfo old = objects(KeyRange.ALL).getFirst();
        remove("dir/k");
        assertThatThrownBy(() -> read(old))
                .isInstanceOfSatisfying(
                        UnreadableObjectException.class,
                        e -> assertThat(e.why()).isEqualTo(UnreadableObjectException.Why.DELETED));
        assertThat(source().head("dir/k")).isEmpty();
        assertThat(keys(KeyRange.ALL)).isEmpty();
    }

    @Test
    void whatIsReadIsOneVersionOrRefused() throws IOException {
        put("k", random(3_000_000));
        ObjectInfo old = objects(KeyRange.ALL).getFirst();
        try (ObjectRead r = source().open(old)) {
            byte[] start = r.body().readNBytes(1_000);
            put("k", bytes("another"));
            byte[] rest;
            try {
                rest = r.body().readAllBytes();
                r.finish();
            } catch (ObjectChangedException e) {
                return;
            }
            assertThat(start.length + rest.length).isEqualTo(3_000_000);
            assertThat(rest).isEqualTo(Arrays.copyOfRange(random(3_000_000), 1_000, 3_000_000));
        }
    }

    @Test
    void foldersAreNoObjects() throws IOException {
        put("a/b/c", bytes("x"));
        assertThat(source().head("a")).isEmpty();
        assertThat(source().head("a/b")).isEmpty();
        assertThat(source().head("a/b/c/d")).isEmpty();
        assertThat(source().head("a/b/c")).isPresent();
    }

    protected final void putAll(List<String> keys) throws IOException {
        for (String key : keys) {
            put(key, content(key));
        }
    }

    protected static byte[] content(String key) {
        return bytes("content of " + key);
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    protected static List<String> sorted(List<String> keys) {
        TreeSet<String> sorted = new TreeSet<>((a, b) ->
                Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
        sorted.addAll(keys);
        return List.copyOf(sorted);
    }

    protected final List<ListEntry> entries(KeyRange range) throws IOException {
        List<ListEntry> entries = new ArrayList<>();
        try (ObjectListing listing = source().list(range)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                entries.add(e.get());
            }
        }
        return entries;
    }

    protected final List<ObjectInfo> objects(KeyRange range) throws IOException {
        return entries(range).stream().map(ObjectInfo.class::cast).toList();
    }

    protected final List<String> keys(KeyRange range) throws IOException {
        return entries(range).stream().map(ListEntry::key).toList();
    }

    protected final byte[] read(ObjectInfo object) throws IOException {
        try (ObjectRead read = source().open(object)) {
            byte[] bytes = read.body().readAllBytes();
            read.finish();
            return bytes;
        }
    }
}
