package dev.stet.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.stet.audit.Digest;
import dev.stet.audit.DigestBuilder;
import dev.stet.codec.SliceCodec;
import dev.stet.codec.SliceDecoder;
import dev.stet.record.Reason;
import dev.stet.store.InMemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BundleTest {
    private static final long MEMORY = 600 << 10;

    private final InMemoryStore staging = new InMemoryStore();
    private int begun;

    private BundleBuilder builder(SliceCodec codec) {
        return new BundleBuilder(staging, "c1", codec, MEMORY, () -> begun++);
    }

    private static void add(BundleBuilder b, String path, String record, long offset) throws IOException {
        byte[] p = path.getBytes(StandardCharsets.US_ASCII);
        byte[] r = record.getBytes(StandardCharsets.UTF_8);
        b.add(SliceKind.LINES, 20211005, p, p.length, r, 0, r.length, offset);
    }

    private static SourceRef object(String key) {
        return new SourceRef(key, Optional.empty());
    }

    /** Content by path, over all runs that count, and how many slices each run has. */
    private Map<String, String> read(long length) throws IOException {
        BundleReader reader = new BundleReader(staging, StagingKeys.bundle("c1"));
        Map<String, String> content = new TreeMap<>();
        for (RunInfo run : reader.runs(length)) {
            BundleReader.SliceCursor cursor = reader.slices(run, 100, ReadsAhead.NONE);
            List<String> order = new ArrayList<>();
            for (Optional<Slice> s = cursor.next(); s.isPresent(); s = cursor.next()) {
                content.merge(s.get().path() + s.get().kind().suffix(), unpack(s.get()), String::concat);
                order.add(s.get().path());
            }
            assertThat(order).isSorted();
        }
        return content;
    }

    private String unpack(Slice s) throws IOException {
        byte[] all = staging.bytes(StagingKeys.bundle("c1"));
        byte[] staged = Arrays.copyOfRange(all, (int) s.offset(), (int) (s.offset() + s.stagedLength()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SliceDecoder decoder = new SliceDecoder(s.codec())) {
            assertThat(decoder.decode(
                            new ByteArrayInputStream(staged), staged.length, (b, f, t) -> out.write(b, f, t - f)))
                    .isEqualTo(s.landedLength());
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Digest digest(String... records) {
        DigestBuilder d = new DigestBuilder();
        for (String r : records) {
            byte[] b = r.getBytes(StandardCharsets.UTF_8);
            d.add(b, 0, b.length);
        }
        return d.digest();
    }

    @ParameterizedTest
    @EnumSource
    void records_come_back_by_partition_in_source_order(SliceCodec codec) throws IOException {
        try (BundleBuilder b = builder(codec)) {
            b.beginObject(object("k1"));
            add(b, "e/p=2", "b1", 0);
            add(b, "e/p=1", "a1", 3);
            add(b, "e/p=2", "b2", 6);
            b.endObject("etag", 10);
            BundleSummary summary = b.complete();
            assertThat(summary.records()).isEqualTo(digest("b1", "a1", "b2"));
            assertThat(summary.timePartitions()).containsExactly(20211005L);
            assertThat(read(summary.length())).isEqualTo(Map.of("e/p=1.jsonl", "a1\n", "e/p=2.jsonl", "b1\nb2\n"));
        }
        assertThat(begun).isPositive();
    }

    @Test
    void nothing_added_stages_nothing_and_begins_no_commit() throws IOException {
        try (BundleBuilder b = builder(SliceCodec.NONE)) {
            b.beginObject(object("k1"));
            b.endObject("etag", 10);
            assertThat(b.complete().length()).isZero();
        }
        assertThat(begun).isZero();
        assertThat(staging.keys()).isEmpty();
    }

    @Test
    void a_dropped_object_leaves_no_record_whether_it_fits_memory_or_not() throws IOException {
        try (BundleBuilder b = builder(SliceCodec.NONE)) {
            b.beginObject(object("good1"));
            add(b, "e/p=1", "first", 0);
            b.endObject("etag", 10);
            b.beginObject(object("small and damaged"));
            add(b, "e/p=1", "never", 0);
            b.dropObject();
            b.beginObject(object("large and damaged"));
            for (int i = 0; i < 3_000; i++) {
                add(b, "e/p=" + i % 40, "never".repeat(100), i);
            }
            b.dropObject();
            b.beginObject(object("good2"));
            add(b, "e/p=1", "second", 0);
            b.endObject("etag", 10);
            BundleSummary summary = b.complete();
            assertThat(summary.records()).isEqualTo(digest("first", "second"));
            assertThat(read(summary.length()).values().stream().reduce("", String::concat))
                    .isEqualTo("first\nsecond\n");
        }
    }

    @Test
    void an_object_that_fills_memory_many_times_over_counts_once_it_ended() throws IOException {
        List<String> all = new ArrayList<>();
        try (BundleBuilder b = builder(SliceCodec.NONE)) {
            b.beginObject(object("large"));
            for (int i = 0; i < 5_000; i++) {
                String record = "r" + i + "x".repeat(400);
                all.add(record);
                add(b, "e/p=" + i % 7, record, i);
            }
            b.endObject("etag", 10);
            BundleSummary summary = b.complete();
            assertThat(new BundleReader(staging, StagingKeys.bundle("c1")).runs(summary.length()))
                    .hasSizeGreaterThan(2);
            assertThat(summary.records()).isEqualTo(digest(all.toArray(String[]::new)));
            assertThat(String.join("", read(summary.length()).values()).lines())
                    .containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void a_record_too_long_to_hold_is_a_run_of_its_own_with_the_same_digest() throws IOException {
        String huge = "h".repeat(2_000_000);
        try (BundleBuilder b = builder(SliceCodec.NONE)) {
            b.beginObject(object("k"));
            add(b, "e/p=1", "small", 0);
            add(b, "e/p=1", huge, 6);
            b.endObject("etag", 10);
            BundleSummary summary = b.complete();
            assertThat(summary.records()).isEqualTo(digest("small", huge));
            assertThat(read(summary.length()).get("e/p=1.jsonl")).hasSize(2_000_000 + 5 + 2);
        }
    }

    @Test
    void a_long_span_that_was_broken_off_leaves_the_next_whole() throws IOException {
        byte[] part = "never".getBytes(StandardCharsets.UTF_8);
        try (BundleBuilder b = builder(SliceCodec.GZIP)) {
            b.beginObject(object("damaged"));
            b.beginLong(0);
            b.continueLong(part, 0, part.length);
            b.dropObject();
            b.beginObject(object("good"));
            b.beginLong(0);
            b.continueLong("go".getBytes(StandardCharsets.UTF_8), 0, 2);
            b.continueLong("od".getBytes(StandardCharsets.UTF_8), 0, 2);
            byte[] path = "e/p=1".getBytes(StandardCharsets.US_ASCII);
            b.endLong(SliceKind.LINES, 1, path, path.length);
            b.endObject("etag", 10);
            BundleSummary summary = b.complete();
            assertThat(summary.records()).isEqualTo(digest("good"));
            assertThat(read(summary.length())).isEqualTo(Map.of("e/p=1.jsonl", "good\n"));
        }
    }

    @Test
    void set_aside_spans_are_inline_up_to_their_limit_and_raw_beyond() throws IOException {
        byte[] shortSpan = "s".repeat(Quarantine.MAX_INLINE).getBytes(StandardCharsets.UTF_8);
        byte[] longSpan = "l".repeat(Quarantine.MAX_INLINE + 1).getBytes(StandardCharsets.UTF_8);
        try (BundleBuilder b = builder(SliceCodec.NONE)) {
            b.beginObject(object("k"));
            b.setAside(Reason.INVALID_JSON, shortSpan, 0, shortSpan.length, 0);
            b.setAside(Reason.INVALID_JSON, longSpan, 0, longSpan.length, shortSpan.length);
            b.endObject("etag", 10);
            BundleSummary summary = b.complete();
            assertThat(summary.quarantined()).isEqualTo(Map.of("invalid_json", 2L));
            Map<String, String> content = read(summary.length());
            assertThat(content.get("_quarantine/reason=invalid_json.raw")).isEqualTo("l".repeat(longSpan.length));
            assertThat(content.get("_quarantine/reason=invalid_json.jsonl"))
                    .contains("\"text\":\"sss")
                    .contains("\"source\":\"k\"");
        }
    }

    @Test
    void the_manifest_says_which_bytes_went_into_which_slice() throws IOException {
        try (BundleBuilder b = builder(SliceCodec.NONE)) {
            b.beginObject(object("k\"1"));
            add(b, "e/p=1", "aaa", 0);
            add(b, "e/p=1", "bbb", 4);
            add(b, "e/p=2", "ccc", 8);
            add(b, "e/p=1", "ddd", 12);
            b.endObject("etag", 10);
            BundleSummary _ = b.complete();
        }
        byte[] packed = staging.bytes(StagingKeys.manifest("c1"));
        String text = new String(
                new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text.lines())
                .containsExactly(
                        "{\"run\":0,\"slice\":0,\"path\":\"e/p=1\",\"suffix\":\".jsonl\",\"source\":\"k\\\"1\",\"version\":null,\"ranges\":[[0,7,2],[12,3,1]]}",
                        "{\"run\":0,\"slice\":1,\"path\":\"e/p=2\",\"suffix\":\".jsonl\",\"source\":\"k\\\"1\",\"version\":null,\"ranges\":[[8,3,1]]}",
                        "{\"source\":\"k\\\"1\",\"version\":null,\"etag\":\"etag\",\"size\":10}",
                        "{\"runs\":[0]}");
    }

    @Test
    void a_long_record_between_short_ones_is_in_no_range_but_its_own() throws IOException {
        try (BundleBuilder b = builder(SliceCodec.NONE)) {
            b.beginObject(object("k"));
            add(b, "e/p=1", "aaa", 0);
            add(b, "e/p=1", "h".repeat(300_000), 4);
            add(b, "e/p=1", "bbb", 300_005);
            add(b, "e/p=1", "ccc", 300_009);
            b.endObject("etag", 10);
            BundleSummary _ = b.complete();
        }
        byte[] packed = staging.bytes(StagingKeys.manifest("c1"));
        String text = new String(
                new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text).contains("\"ranges\":[[4,300000,1]]").contains("\"ranges\":[[0,3,1],[300005,7,2]]");
    }

    @Test
    void any_changed_byte_of_an_index_or_footer_is_noticed() throws IOException {
        long length;
        try (BundleBuilder b = builder(SliceCodec.NONE)) {
            b.beginObject(object("k"));
            add(b, "e/p=1", "record", 0);
            b.endObject("etag", 10);
            length = b.complete().length();
        }
        byte[] sound = staging.bytes(StagingKeys.bundle("c1"));
        for (int i = "record\n".length(); i < sound.length; i++) {
            byte[] damaged = sound.clone();
            damaged[i] ^= 0x10;
            staging.put(StagingKeys.bundle("c1"), damaged);
            assertThatIOException().as("byte " + i).isThrownBy(() -> drain(length));
        }
    }

    private void drain(long length) throws IOException {
        BundleReader reader = new BundleReader(staging, StagingKeys.bundle("c1"));
        for (RunInfo run : reader.runs(length)) {
            try {
                BundleReader.SliceCursor cursor = reader.slices(run, 64, ReadsAhead.NONE);
                Optional<Slice> s = cursor.next();
                while (s.isPresent()) {
                    s = cursor.next();
                }
            } catch (RuntimeException e) {
                // What an index says before its checksum was compared may be nonsense of any kind.
                throw new IOException(e);
            }
        }
    }
}
