package dev.stet.compact;

import dev.stet.codec.SliceCodec;
import dev.stet.codec.SliceEncoder;
import dev.stet.stage.BundleReader;
import dev.stet.stage.QuarantineLine;
import dev.stet.stage.RunInfo;
import dev.stet.stage.Slice;
import dev.stet.stage.SliceKind;
import dev.stet.store.ObjectStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * The plan of a compaction: a merge of the indexes of all runs its header takes, in the order of runs. It is a pure function of the header (bundles never
 * change): walking it again gives the same outputs, whoever walks. Memory grows with the number of runs, not of slices.
 *
 * <p>Outputs come by time partition, then path: the oldest day of the archive lands first. Key of an output:
 * {@code <path>/apply-<pipeline id>-<generation>-<ordinal within its path><suffix>}.
 */
final class CompactionPlan {
    private static final int MIN_BLOCK = 512;
    private static final int MAX_BLOCK = 256 << 10;
    /** Lines of spans held apart wait until so many bytes, then they get an output. */
    private static final int MAX_HELD_LINES = 4 << 20;

    private final Header header;
    private final ObjectStore staging;
    private final long memory;
    private final Consumer consumer;

    private Optional<Slice> group = Optional.empty();
    private int ordinal;
    private Optional<Output.Builder> output = Optional.empty();
    private final ByteArrayOutputStream heldLines = new ByteArrayOutputStream();

    /** Takes outputs in plan order. */
    interface Consumer {
        void accept(Output output) throws IOException;
    }

    /** @param memory bytes for reading indexes */
    CompactionPlan(Header header, ObjectStore staging, long memory, Consumer consumer) {
        this.header = header;
        this.staging = staging;
        this.memory = memory;
        this.consumer = consumer;
    }

    /** The next slice of one run. */
    private static final class Head {
        private final int commit;
        private final int run;
        private final BundleReader.SliceCursor cursor;
        private Slice slice;

        Head(int commit, int run, BundleReader.SliceCursor cursor, Slice first) {
            this.commit = commit;
            this.run = run;
            this.cursor = cursor;
            this.slice = first;
        }
    }

    private final Comparator<Head> order = Comparator.<Head>comparingLong(h -> h.slice.timePartition())
            .thenComparing(h -> h.slice.path())
            .thenComparing(h -> h.slice.kind())
            .thenComparing(h -> landsPacked(h.slice))
            .thenComparingInt(h -> h.commit)
            .thenComparingInt(h -> h.run);

    /** A slice staged before the setting changed lands as its commit staged it. */
    private boolean landsPacked(Slice slice) {
        return header.gzip() && slice.codec() == SliceCodec.GZIP;
    }

    void walk() throws IOException {
        PriorityQueue<Head> heads = open();
        for (Head head = heads.poll(); head != null; head = heads.poll()) {
            add(head);
            Optional<Slice> next = head.cursor.next();
            if (next.isPresent()) {
                head.slice = next.get();
                heads.add(head);
            }
        }
        endGroup();
    }

    private PriorityQueue<Head> open() throws IOException {
        int runs = 0;
        java.util.List<java.util.List<RunInfo>> all = new java.util.ArrayList<>();
        for (Header.Taken t : header.commits()) {
            java.util.List<RunInfo> ofCommit = t.bundleLength() == 0
                    ? java.util.List.of()
                    : new BundleReader(staging, t.bundleKey()).runs(t.bundleLength());
            all.add(ofCommit);
            runs += ofCommit.size();
        }
        int block = Math.clamp(memory / Math.max(1, runs), MIN_BLOCK, MAX_BLOCK);
        PriorityQueue<Head> heads = new PriorityQueue<>(order);
        for (int c = 0; c < all.size(); c++) {
            BundleReader reader =
                    new BundleReader(staging, header.commits().get(c).bundleKey());
            for (RunInfo run : all.get(c)) {
                BundleReader.SliceCursor cursor = reader.slices(run, block);
                Optional<Slice> first = cursor.next();
                if (first.isPresent()) {
                    heads.add(new Head(c, run.number(), cursor, first.get()));
                }
            }
        }
        return heads;
    }

    private void add(Head head) throws IOException {
        Slice slice = head.slice;
        if (group.isEmpty() || !sameGroup(group.get(), slice)) {
            endGroup();
            group = Optional.of(slice);
            ordinal = 0;
        }
        if (slice.kind() != SliceKind.RAW && heldLines.size() > 0) {
            landHeldLines();
        }
        boolean packed = landsPacked(slice);
        Part part = new Part.OfSlice(head.commit, head.run, slice, !packed && slice.codec() != SliceCodec.NONE);
        Output.Builder into = into(slice.path(), slice.kind(), packed, part.length());
        if (slice.kind() == SliceKind.RAW) {
            holdLine(slice, into);
        }
        into.add(part, slice.landedLength());
        if (heldLines.size() > MAX_HELD_LINES) {
            landHeldLines();
        }
    }

    private static boolean sameGroup(Slice a, Slice b) {
        return a.timePartition() == b.timePartition() && a.path().equals(b.path());
    }

    /** The output that takes a part of so many bytes: the one at hand, or a new one. */
    private Output.Builder into(String path, SliceKind kind, boolean packed, long length) throws IOException {
        if (output.isPresent()) {
            Output.Builder open = output.get();
            if (open.takes(kind, packed) && (open.length() == 0 || open.length() + length <= header.maxObjectBytes())) {
                return open;
            }
        }
        endOutput();
        String name = "apply-%s-%06d-%04d%s%s"
                .formatted(header.pipelineId(), header.generation(), ordinal++, kind.suffix(), packed ? ".gz" : "");
        Output.Builder fresh = new Output.Builder(path.isEmpty() ? name : path + "/" + name, kind, packed);
        output = Optional.of(fresh);
        return fresh;
    }

    private void holdLine(Slice slice, Output.Builder raw) {
        byte[] line = QuarantineLine.held(
                slice.origin().orElseThrow(), slice.landedLength(), raw.fileName(), raw.unpackedLength());
        heldLines.write(line, 0, line.length);
        heldLines.write('\n');
    }

    private void landHeldLines() throws IOException {
        byte[] lines = heldLines.toByteArray();
        heldLines.reset();
        byte[] bytes = header.gzip() ? pack(lines) : lines;
        Part part = new Part.Literal(bytes);
        into(group.orElseThrow().path(), SliceKind.LINES, header.gzip(), bytes.length)
                .add(part, lines.length);
    }

    private static byte[] pack(byte[] lines) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (SliceEncoder encoder = SliceEncoder.of(SliceCodec.GZIP)) {
            encoder.begin((bytes, from, to) -> packed.write(bytes, from, to - from));
            encoder.write(lines, 0, lines.length);
            encoder.end();
        }
        return packed.toByteArray();
    }

    private void endGroup() throws IOException {
        if (heldLines.size() > 0) {
            landHeldLines();
        }
        endOutput();
    }

    private void endOutput() throws IOException {
        if (output.isPresent()) {
            consumer.accept(output.get().build());
            output = Optional.empty();
        }
    }
}
