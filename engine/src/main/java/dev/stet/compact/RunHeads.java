package dev.stet.compact;

import dev.stet.codec.SliceCodec;
import dev.stet.stage.BundleReader;
import dev.stet.stage.ReadsAhead;
import dev.stet.stage.RunInfo;
import dev.stet.stage.Slice;
import dev.stet.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Merges the indexes of runs: their slices in plan order. Knows at each moment how far each index was read, so that a stretch of the plan can be told as a range
 * of each index. Not thread-safe.
 */
final class RunHeads {
    private static final int MIN_BLOCK = 512;
    private static final int MAX_BLOCK = 256 << 10;

    private final Header header;
    private final List<Run> runs = new ArrayList<>();
    private final PriorityQueue<Run> queue;
    /** Where each run's first slice not yet taken has its entry. */
    private final long[] taken;

    private Optional<Run> current = Optional.empty();

    /** One run being read. */
    private static final class Run {
        private final int number;
        private final IndexRange range;
        private final BundleReader.SliceCursor cursor;
        private Optional<Slice> head = Optional.empty();

        Run(int number, IndexRange range, BundleReader.SliceCursor cursor) {
            this.number = number;
            this.range = range;
            this.cursor = cursor;
        }

        boolean advance() throws IOException {
            head = cursor.next();
            return head.isPresent();
        }

        Slice slice() {
            return head.orElseThrow();
        }
    }

    /** A place in every index. */
    static final class Mark {
        private final long[] offsets;

        private Mark(long[] offsets) {
            this.offsets = offsets;
        }
    }

    /** The head of one run, taken. */
    record Taken(int commit, int run, Slice slice) {}

    private RunHeads(
            Header header,
            ObjectStore staging,
            List<IndexRange> ranges,
            List<Optional<RunInfo>> whole,
            long memory,
            ReadsAhead reads)
            throws IOException {
        this.header = header;
        this.queue = new PriorityQueue<>(this::compare);
        this.taken = new long[ranges.size()];
        int block = Math.clamp(memory / Math.max(1, ranges.size()) / reads.held(), MIN_BLOCK, MAX_BLOCK);
        for (int i = 0; i < ranges.size(); i++) {
            IndexRange range = ranges.get(i);
            BundleReader reader = new BundleReader(
                    staging, header.commits().get(range.commit()).bundleKey());
            int most = Math.toIntExact(Math.clamp(range.length(), 1, block));
            BundleReader.SliceCursor cursor = whole.get(i).isPresent()
                    ? reader.slices(whole.get(i).get(), most, reads)
                    : reader.slices(range.offset(), range.length(), most, reads);
            runs.add(new Run(i, range, cursor));
            taken[i] = range.offset();
        }
        runs.forEach(run -> run.cursor.begin());
        for (Run run : runs) {
            if (run.advance()) {
                queue.add(run);
            }
        }
    }

    /** Of all runs that the header takes. @param memory bytes for reading @param reads to be closed when the walk is over */
    static RunHeads all(Header header, ObjectStore staging, long memory, ReadsAhead reads) throws IOException {
        List<ReadsAhead.Begun<List<RunInfo>>> found = new ArrayList<>();
        for (Header.Taken t : header.commits()) {
            found.add(reads.begin(() -> t.bundleLength() > 0
                    ? new BundleReader(staging, t.bundleKey()).runs(t.bundleLength())
                    : List.of()));
        }
        List<IndexRange> ranges = new ArrayList<>();
        List<Optional<RunInfo>> whole = new ArrayList<>();
        for (int c = 0; c < found.size(); c++) {
            for (RunInfo run : found.get(c).get()) {
                ranges.add(new IndexRange(c, run.number(), run.indexOffset(), run.indexLength()));
                whole.add(Optional.of(run));
            }
        }
        return new RunHeads(header, staging, ranges, whole, memory, reads);
    }

    /** Of parts of runs. */
    static RunHeads of(Header header, ObjectStore staging, List<IndexRange> ranges, long memory, ReadsAhead reads)
            throws IOException {
        List<Optional<RunInfo>> parts = new ArrayList<>();
        ranges.forEach(r -> parts.add(Optional.empty()));
        return new RunHeads(header, staging, ranges, parts, memory, reads);
    }

    /** Plan order. Written out: it is asked a dozen times for each of millions of slices. */
    private int compare(Run a, Run b) {
        Slice one = a.slice();
        Slice other = b.slice();
        int order = Long.compare(one.timePartition(), other.timePartition());
        if (order == 0) {
            order = one.path().compareTo(other.path());
        }
        if (order == 0) {
            order = one.kind().compareTo(other.kind());
        }
        if (order == 0) {
            order = Boolean.compare(landsPacked(one), landsPacked(other));
        }
        if (order == 0) {
            order = Integer.compare(a.range.commit(), b.range.commit());
        }
        return order == 0 ? Integer.compare(a.range.run(), b.range.run()) : order;
    }

    /** A slice staged before the setting changed lands as its commit staged it. */
    boolean landsPacked(Slice slice) {
        return header.gzip() && slice.codec() == SliceCodec.GZIP;
    }

    /** The next slice in plan order; empty at the end. Until the next call it counts as being taken. */
    Optional<Taken> next() throws IOException {
        if (current.isPresent()) {
            Run before = current.get();
            taken[before.number] = before.cursor.position();
            current = Optional.empty();
            if (before.advance()) {
                queue.add(before);
            }
        }
        current = Optional.ofNullable(queue.poll());
        return current.map(r -> new Taken(r.range.commit(), r.range.run(), r.slice()));
    }

    /** Before the slice that is being taken. */
    Mark before() {
        return new Mark(taken.clone());
    }

    /** Behind the slice that is being taken. */
    Mark behind() {
        Mark mark = before();
        current.ifPresent(r -> mark.offsets[r.number] = r.cursor.position());
        return mark;
    }

    /** What of each index lies between two places; runs with nothing there are left out. */
    List<IndexRange> between(Mark from, Mark to) {
        List<IndexRange> parts = new ArrayList<>();
        for (Run r : runs) {
            long offset = from.offsets[r.number];
            long length = to.offsets[r.number] - offset;
            if (length > 0) {
                parts.add(new IndexRange(r.range.commit(), r.range.run(), offset, length));
            }
        }
        return parts;
    }
}
