package dev.stet.stage;

import dev.stet.audit.Crc32c;
import dev.stet.codec.SliceCodec;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Writes runs: entries sorted by time partition, path and kind, a slice a partition (a slice an entry where spans are held apart), the run's index right
 * behind, so that no index outgrows one run. Not thread-safe.
 */
final class RunWriter implements Closeable {
    private final BundleOutput out;
    private final Manifest manifest;
    private final SliceWriter slices;
    private int runs;
    private ByteArrayOutputStream indexBytes = new ByteArrayOutputStream();
    private DataOutputStream index = new DataOutputStream(indexBytes);
    private SummaryBuilder summary = new SummaryBuilder();
    private int count;
    private long start;

    /** A run and the sum of its slices. */
    record Written(RunInfo info, SummaryBuilder summary) {}

    RunWriter(BundleOutput out, Manifest manifest, SliceCodec codec) {
        this.out = out;
        this.manifest = manifest;
        this.slices = new SliceWriter(out, codec);
    }

    /** Writes the first {@code entries} of the arena as a run. */
    Written write(RecordArena arena, int entries, PartitionTable partitions, List<SourceRef> sources)
            throws IOException {
        beginRun();
        int[] starts = new int[partitions.size() + 1];
        int[] order = groupByPartition(arena, entries, starts);
        for (int partition : partitions.sorted()) {
            int from = starts[partition];
            int to = starts[partition + 1];
            if (from == to) {
                continue;
            }
            SliceKind kind = partitions.kind(partition);
            String path = partitions.path(partition);
            long time = partitions.timePartition(partition);
            if (kind == SliceKind.RAW) {
                for (int i = from; i < to; i++) {
                    writeSlice(arena, order, i, i + 1, kind, time, path, sources);
                }
            } else {
                writeSlice(arena, order, from, to, kind, time, path, sources);
            }
        }
        return endRun();
    }

    /** Entries grouped by partition, each group in source order (a counting sort); {@code starts} gets each group's first place. */
    private static int[] groupByPartition(RecordArena arena, int entries, int[] starts) {
        for (int i = 0; i < entries; i++) {
            starts[arena.partition(i) + 1]++;
        }
        for (int p = 1; p < starts.length; p++) {
            starts[p] += starts[p - 1];
        }
        int[] next = starts.clone();
        int[] order = new int[entries];
        for (int i = 0; i < entries; i++) {
            order[next[arena.partition(i)]++] = i;
        }
        return order;
    }

    private void writeSlice(
            RecordArena arena,
            int[] order,
            int from,
            int to,
            SliceKind kind,
            long time,
            String path,
            List<SourceRef> sources)
            throws IOException {
        slices.begin();
        for (int i = from; i < to; i++) {
            writeEntry(arena, order[i]);
            if (kind != SliceKind.RAW) {
                slices.lineFeed();
            }
        }
        SourceRef first = sources.get(arena.object(order[from]));
        Optional<Slice.Origin> origin = kind == SliceKind.RAW
                ? Optional.of(origin(path, first, arena.sourceOffset(order[from])))
                : Optional.empty();
        describe(arena, order, from, to, path, kind, sources);
        endSlice(slices.end(kind, time, path, origin));
    }

    private void writeEntry(RecordArena arena, int entry) throws IOException {
        if (arena.inOnePiece(entry)) {
            arena.read(entry, slices::whole);
        } else {
            arena.read(entry, slices::piece);
            slices.endPieces();
        }
    }

    /** The manifest's lines of a slice: one for each source object, records next to each other in the source in one range. */
    private void describe(
            RecordArena arena, int[] order, int from, int to, String path, SliceKind kind, List<SourceRef> sources)
            throws IOException {
        int i = from;
        while (i < to) {
            int object = arena.object(order[i]);
            manifest.beginLine(runs, count, path, kind, sources.get(object));
            while (i < to && arena.object(order[i]) == object) {
                int first = i++;
                while (i < to && arena.follows(order[i], order[i - 1])) {
                    i++;
                }
                int last = order[i - 1];
                long end = arena.sourceEnd(last);
                manifest.range(arena.sourceOffset(order[first]), end, i - first);
            }
            manifest.endLine();
        }
    }

    void beginLong() throws IOException {
        beginRun();
        slices.begin();
    }

    void continueLong(byte[] buffer, int from, int to) throws IOException {
        slices.piece(buffer, from, to);
    }

    /** Ends a run of one slice of one span that began at {@code offset}. */
    Written endLong(SliceKind kind, long time, String path, SourceRef source, long offset) throws IOException {
        slices.endPieces();
        if (kind != SliceKind.RAW) {
            slices.lineFeed();
        }
        Optional<Slice.Origin> origin =
                kind == SliceKind.RAW ? Optional.of(origin(path, source, offset)) : Optional.empty();
        Slice slice = slices.end(kind, time, path, origin);
        manifest.beginLine(runs, count, path, kind, source);
        manifest.range(offset, offset + slice.digest().bytes(), 1);
        manifest.endLine();
        endSlice(slice);
        return endRun();
    }

    private static Slice.Origin origin(String path, SourceRef source, long offset) {
        return new Slice.Origin(SummaryBuilder.reason(path), source, offset);
    }

    private void beginRun() {
        start = out.position();
        summary = new SummaryBuilder();
        indexBytes = new ByteArrayOutputStream(4096);
        index = new DataOutputStream(indexBytes);
        count = 0;
    }

    private void endSlice(Slice slice) throws IOException {
        IndexFormat.write(index, slice);
        summary.add(slice);
        count++;
    }

    private Written endRun() throws IOException {
        long dataLength = out.position() - start;
        byte[] bytes = indexBytes.toByteArray();
        out.write(bytes, 0, bytes.length);
        int crc = Crc32c.of(bytes, 0, bytes.length);
        return new Written(new RunInfo(runs++, start, dataLength, bytes.length, crc, count), summary);
    }

    @Override
    public void close() {
        slices.close();
    }
}
