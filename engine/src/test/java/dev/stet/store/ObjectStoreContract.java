package dev.stet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** What every {@link ObjectStore} must do. A subclass brings one adapter, empty at the start of each test. */
public abstract class ObjectStoreContract {
    private static final int THREADS = 16;

    protected abstract ObjectStore store();

    /** The same place, seen by another process. */
    protected abstract ObjectStore another();

    /** How many objects a listing is tested with: more than two pages of 1,000. */
    protected int many() {
        return 2_500;
    }

    @Test
    void anObjectIsReadAsWritten() throws Exception {
        byte[] content = random(1_000_000);
        assertThat(create("dir/sub/object.bin", content)).isEqualTo(ObjectWriter.Outcome.CREATED);
        store().flush();
        assertThat(read(another(), "dir/sub/object.bin", 0, content.length)).isEqualTo(content);
        assertThat(another().readBack("dir/sub/object.bin")).contains(new StoredObject(content.length, crc(content)));
    }

    @Test
    void anEmptyObjectIsAnObject() throws Exception {
        assertThat(create("empty", new byte[0])).isEqualTo(ObjectWriter.Outcome.CREATED);
        assertThat(store().readBack("empty")).contains(new StoredObject(0, 0));
        assertThat(read(store(), "empty", 0, 0)).isEmpty();
    }

    @Test
    void writersCountTheirBytesAndTakePartsOfArrays() throws Exception {
        byte[] content = random(300_000);
        try (ObjectWriter writer = store().create("k")) {
            for (int at = 0, step = 1; at < content.length; at += step, step = step * 3 + 1) {
                writer.write(content, at, Math.min(content.length, at + step));
                assertThat(writer.length()).isEqualTo(Math.min(content.length, at + step));
            }
            writer.complete(crc(content));
        }
        assertThat(read(store(), "k", 0, content.length)).isEqualTo(content);
    }

    @Test
    void readsRanges() throws Exception {
        byte[] content = random(100_000);
        create("k", content);
        for (int[] r : new int[][] {{0, 1}, {0, 100_000}, {99_999, 1}, {100_000, 0}, {12_345, 67_890}}) {
            assertThat(read(store(), "k", r[0], r[1])).isEqualTo(Arrays.copyOfRange(content, r[0], r[0] + r[1]));
        }
        try (InputStream in = store().read("k", 5, 2)) {
            assertThat(in.read()).isEqualTo(content[5] & 0xFF);
            assertThat(in.read()).isEqualTo(content[6] & 0xFF);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void aShortRangeIsAnError() throws Exception {
        create("k", random(1_000));
        assertThatThrownBy(() -> read(store(), "k", 900, 101)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read(store(), "k", 1_000, 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read(store(), "k", 2_000, 1)).isInstanceOf(IOException.class);
    }

    @Test
    void whatIsNotThereIsNotRead() throws Exception {
        create("dir/k", bytes("x"));
        assertThatThrownBy(() -> read(store(), "none", 0, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none");
        assertThat(store().readBack("none")).isEmpty();
        assertThat(store().readBack("dir")).isEmpty();
        assertThat(store().readBack("dir/k/below")).isEmpty();
    }

    @Test
    void nothingIsVisibleBeforeItIsComplete() throws Exception {
        byte[] content = random(1 << 20);
        try (ObjectWriter writer = store().create("k")) {
            writer.write(content, 0, content.length);
            assertThat(keys(KeyRange.ALL)).isEmpty();
            assertThat(another().readBack("k")).isEmpty();
            writer.complete(crc(content));
        }
        assertThat(keys(KeyRange.ALL)).containsExactly("k");
    }

    @Test
    void aWriterClosedOrAbortedLeavesNothingVisible() throws Exception {
        try (ObjectWriter writer = store().create("closed")) {
            writer.write(bytes("x"), 0, 1);
        }
        try (ObjectWriter writer = store().create("aborted")) {
            writer.write(bytes("x"), 0, 1);
            writer.abort();
            assertThatThrownBy(() -> writer.complete(crc(bytes("x")))).isInstanceOf(Exception.class);
        }
        assertThat(keys(KeyRange.ALL)).isEmpty();
        assertThat(create("closed", bytes("y"))).isEqualTo(ObjectWriter.Outcome.CREATED);
        assertThat(create("aborted", bytes("y"))).isEqualTo(ObjectWriter.Outcome.CREATED);
    }

    @Test
    void anObjectIsNeverReplaced() throws Exception {
        create("k", bytes("first"));
        assertThat(create("k", bytes("second, longer"))).isEqualTo(ObjectWriter.Outcome.EXISTS);
        assertThat(create("k", bytes("first"))).isEqualTo(ObjectWriter.Outcome.EXISTS);
        assertThat(read(store(), "k", 0, 5)).isEqualTo(bytes("first"));
    }

    @Test
    void theLaterOfTwoWritersFindsTheOthersObject() throws Exception {
        try (ObjectWriter one = store().create("k");
                ObjectWriter two = another().create("k")) {
            one.write(bytes("one"), 0, 3);
            two.write(bytes("two"), 0, 3);
            assertThat(two.complete(crc(bytes("two")))).isEqualTo(ObjectWriter.Outcome.CREATED);
            assertThat(one.complete(crc(bytes("one")))).isEqualTo(ObjectWriter.Outcome.EXISTS);
        }
        assertThat(read(store(), "k", 0, 3)).isEqualTo(bytes("two"));
    }

    @Test
    void ofManyWritersOfAKeyOneCreatesIt() throws Exception {
        for (int round = 0; round < 10; round++) {
            String key = "round=" + round + "/k";
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<ObjectWriter.Outcome> outcomes = together(i -> {
                byte[] mine = bytes("writer %02d".formatted(i));
                try (ObjectWriter writer = (i % 2 == 0 ? store() : another()).create(key)) {
                    writer.write(mine, 0, mine.length);
                    start.await();
                    return writer.complete(crc(mine));
                }
            });
            assertThat(outcomes)
                    .filteredOn(o -> o == ObjectWriter.Outcome.CREATED)
                    .hasSize(1);
            int winner = outcomes.indexOf(ObjectWriter.Outcome.CREATED);
            assertThat(read(store(), key, 0, 9)).isEqualTo(bytes("writer %02d".formatted(winner)));
        }
    }

    @Test
    void manyWritersMakeFoldersAtTheSameTime() throws Exception {
        List<Integer> made = together(i -> {
            for (int j = 0; j < 20; j++) {
                ObjectStore store = i % 2 == 0 ? store() : another();
                String key = "a/b%d/c%d/d/k%d".formatted(j % 3, j % 5, i * 100 + j);
                assertThat(create(store, key, bytes(key))).isEqualTo(ObjectWriter.Outcome.CREATED);
                store.flush();
            }
            return i;
        });
        assertThat(made).hasSize(THREADS);
        assertThat(keys(KeyRange.ALL)).hasSize(THREADS * 20);
    }

    @Test
    void anAbortedWriteFailsWhoeverBeganIt() throws Exception {
        try (ObjectWriter mine = store().create("dir/k");
                ObjectWriter others = another().create("dir/k");
                ObjectWriter unrelated = store().create("dir/k2")) {
            for (ObjectWriter writer : List.of(mine, others, unrelated)) {
                writer.write(bytes("x"), 0, 1);
            }
            store().abortUploads("dir/k");
            assertThatThrownBy(() -> mine.complete(crc(bytes("x")))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> others.complete(crc(bytes("x")))).isInstanceOf(IOException.class);
            assertThat(unrelated.complete(crc(bytes("x")))).isEqualTo(ObjectWriter.Outcome.CREATED);
        }
        assertThat(keys(KeyRange.ALL)).containsExactly("dir/k2");
        assertThat(create("dir/k", bytes("again"))).isEqualTo(ObjectWriter.Outcome.CREATED);
    }

    @Test
    void abortsByTheBeginningOfNamesInAllFoldersAndSparesOthers() throws Exception {
        create("a/apply-1-done", bytes("x"));
        List<String> aborted = List.of("apply-1-k", "a/apply-1-k", "a/b=c d/apply-1-l.jsonl.gz", "ü/apply-1-ä");
        List<String> spared = List.of("apply-10-k", "apply-1-k/other", "a/xapply-1-k", "a/apply-2-k");
        List<ObjectWriter> writers = new java.util.ArrayList<>();
        for (String key : aborted) {
            writers.add(another().create(key));
        }
        for (String key : spared) {
            writers.add(store().create(key));
        }
        for (ObjectWriter writer : writers) {
            writer.write(bytes("x"), 0, 1);
        }
        store().abortUploadsNamed("apply-1-");
        store().abortUploadsNamed("none");
        for (ObjectWriter writer : writers.subList(0, aborted.size())) {
            assertThatThrownBy(() -> writer.complete(crc(bytes("x")))).isInstanceOf(IOException.class);
        }
        for (ObjectWriter writer : writers.subList(aborted.size(), writers.size())) {
            assertThat(writer.complete(crc(bytes("x")))).isEqualTo(ObjectWriter.Outcome.CREATED);
        }
        for (ObjectWriter writer : writers) {
            writer.close();
        }
        assertThat(keys(KeyRange.ALL))
                .contains("a/apply-1-done")
                .containsAll(spared)
                .hasSize(1 + spared.size());
        for (String no : List.of("", "a/b", "*", "x".repeat(101))) {
            assertThatThrownBy(() -> store().abortUploadsNamed(no)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void abortingLeavesWhatIsComplete() throws Exception {
        create("k", bytes("x"));
        store().abortUploads("k");
        store().abortUploads("none/at/all");
        assertThat(read(store(), "k", 0, 1)).isEqualTo(bytes("x"));
    }

    @Test
    void abortAndCompleteAtTheSameTimeAgree() throws Exception {
        for (int round = 0; round < 30; round++) {
            String key = "r" + round;
            CyclicBarrier start = new CyclicBarrier(2);
            try (ObjectWriter writer = store().create(key);
                    ExecutorService pool = Executors.newSingleThreadExecutor()) {
                writer.write(bytes("x"), 0, 1);
                Future<Boolean> completed = pool.submit(() -> {
                    start.await();
                    try {
                        return writer.complete(crc(bytes("x"))) == ObjectWriter.Outcome.CREATED;
                    } catch (IOException e) {
                        return false;
                    }
                });
                start.await();
                another().abortUploads(key);
                // Looked at when both have ended: one that was begun after the abort may complete after it.
                boolean created = completed.get();
                assertThat(store().readBack(key).isPresent()).isEqualTo(created);
            }
        }
    }

    @Test
    void aWrongChecksumIsRefused() throws Exception {
        try (ObjectWriter writer = store().create("k")) {
            writer.write(bytes("x"), 0, 1);
            assertThatThrownBy(() -> writer.complete(crc(bytes("y")))).isInstanceOf(IOException.class);
        }
        assertThat(store().readBack("k")).isEmpty();
    }

    @Test
    void deletesWhatIsThereAndMindsNothingElse() throws Exception {
        create("dir/k", bytes("x"));
        create("dir/l", bytes("x"));
        store().delete("dir/k");
        store().delete("dir/k");
        store().delete("none/at/all");
        assertThat(keys(KeyRange.ALL)).containsExactly("dir/l");
        assertThat(create("dir/k", bytes("new"))).isEqualTo(ObjectWriter.Outcome.CREATED);
        assertThat(read(store(), "dir/k", 0, 3)).isEqualTo(bytes("new"));
    }

    @Test
    void listsInTheOrderOfUtf8Bytes() throws Exception {
        assertThat(keys(KeyRange.ALL)).isEmpty();
        for (String key : SourceStoreContract.ODD_KEYS) {
            create(key, SourceStoreContract.content(key));
        }
        List<String> sorted = SourceStoreContract.sorted(SourceStoreContract.ODD_KEYS);
        assertThat(keys(KeyRange.ALL)).containsExactlyElementsOf(sorted);
        for (String key : sorted) {
            byte[] content = SourceStoreContract.content(key);
            assertThat(store().readBack(key)).contains(new StoredObject(content.length, crc(content)));
        }
        KeyRange range = new KeyRange("dir/", Optional.of("dir0"));
        assertThat(keys(range))
                .containsExactlyElementsOf(
                        sorted.stream().filter(range::contains).toList());
    }

    @Test
    void listsManyObjects() throws Exception {
        List<String> all = IntStream.range(0, many())
                .mapToObj(i -> "p=%d/%06d".formatted(i % 3, i * 7919 % many()))
                .toList();
        together(t -> {
            for (int i = t; i < all.size(); i += THREADS) {
                create(all.get(i), new byte[] {1});
            }
            return t;
        });
        assertThat(keys(KeyRange.ALL))
                .containsExactlyElementsOf(all.stream().sorted().toList());
        KeyRange range = new KeyRange("p=1/000500", Optional.of("p=1/001500"));
        assertThat(keys(range))
                .containsExactlyElementsOf(
                        all.stream().filter(range::contains).sorted().toList());
    }

    @Test
    void describesPlaces() throws Exception {
        assertThat(store().describe("dir/k")).startsWith(store().describe()).endsWith("dir/k");
    }

    protected interface Step<T> {
        T run(int thread) throws Exception;
    }

    /** Runs the step in 16 threads; the results in the order of the threads. */
    protected static <T> List<T> together(Step<T> step) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            List<Callable<T>> steps = IntStream.range(0, THREADS)
                    .<Callable<T>>mapToObj(i -> () -> step.run(i))
                    .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> result : pool.invokeAll(steps)) {
                results.add(result.get());
            }
            return results;
        }
    }

    protected final ObjectWriter.Outcome create(String key, byte[] content) throws IOException {
        return create(store(), key, content);
    }

    protected static ObjectWriter.Outcome create(ObjectStore store, String key, byte[] content) throws IOException {
        try (ObjectWriter writer = store.create(key)) {
            writer.write(content, 0, content.length);
            return writer.complete(crc(content));
        }
    }

    protected static byte[] read(ObjectStore store, String key, long offset, long length) throws IOException {
        try (InputStream in = store.read(key, offset, length)) {
            return in.readAllBytes();
        }
    }

    protected final List<String> keys(KeyRange range) throws IOException {
        List<String> keys = new ArrayList<>();
        try (ObjectListing listing = store().list(range)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                keys.add(e.get().key());
            }
        }
        return keys;
    }

    protected static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
