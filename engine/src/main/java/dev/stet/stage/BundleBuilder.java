package dev.stet.stage;

import dev.stet.codec.SliceCodec;
import dev.stet.record.Reason;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the bundle of one commit from the records of one object after another, in bounded memory: when it fills, what whole objects gave is written as a
 * run. An object that fills it alone gets runs of its own, and a record too long to be held is a run by itself; they count only once their object ended
 * without fault (invariant 3). Not thread-safe; not reused.
 *
 * <p>Between {@link #beginObject} and {@link #endObject} or {@link #dropObject} come records, set-aside spans and long spans, in source order.
 */
public final class BundleBuilder implements Closeable {
    private final ObjectStore staging;
    private final String key;
    private final BundleOutput out;
    private final Manifest manifest;
    private final RunWriter runs;
    private final long memory;
    private final RecordArena arena = new RecordArena();
    private PartitionTable partitions = new PartitionTable();
    private final List<SourceRef> sources = new ArrayList<>();
    private final List<RunInfo> counting = new ArrayList<>();
    /** Runs of the object at hand. */
    private final List<RunWriter.Written> pending = new ArrayList<>();

    private final SummaryBuilder summary = new SummaryBuilder();
    /** Entries before this are of whole objects. */
    private int mark;

    private long longOffset;
    /** Counts records and spans. */
    private int items;

    /** What the manifest says of the objects that count. */
    private final List<Manifest.ObjectLine> objects = new ArrayList<>();

    /**
     * @param commitId names bundle and manifest
     * @param memory bytes for records that wait to be written
     * @param before puts the commit's row: every upload is known to the ledger before it begins
     */
    public BundleBuilder(ObjectStore staging, String commitId, SliceCodec codec, long memory, BeforeFirstByte before) {
        this.staging = staging;
        this.key = StagingKeys.bundle(commitId);
        this.out = new BundleOutput(staging, key, before);
        this.manifest = new Manifest(staging, StagingKeys.manifest(commitId), before);
        this.runs = new RunWriter(out, manifest, codec);
        this.memory = memory;
    }

    /** Bytes staged so far. */
    public long staged() {
        return out.position();
    }

    public void beginObject(SourceRef source) {
        sources.add(source);
        mark = arena.count();
    }

    /** A record of the object at hand. Path and record bytes are copied. */
    public void add(
            SliceKind kind, long time, byte[] path, int pathLength, byte[] buffer, int from, int to, long offset)
            throws IOException {
        if (to - from > memory / 4) {
            beginLong(offset);
            continueLong(buffer, from, to);
            endLong(kind, time, path, pathLength);
            return;
        }
        append(kind, time, path, pathLength, buffer, from, to, offset, offset + to - from);
    }

    private void append(
            SliceKind kind, long time, byte[] path, int pathLength, byte[] b, int from, int to, long offset, long end)
            throws IOException {
        int number = partitions.number(kind, time, path, pathLength);
        arena.add(number, sources.size() - 1, items++, offset, end, b, from, to);
        if (arena.bytes() + partitions.bytes() > memory) {
            spill();
        }
    }

    /** A span of the object at hand is set aside: inline in its line, or apart when it is long. */
    public void setAside(Reason reason, byte[] buffer, int from, int to, long offset) throws IOException {
        byte[] path = Quarantine.path(reason);
        if (to - from > Quarantine.MAX_INLINE) {
            add(SliceKind.RAW, 0, path, path.length, buffer, from, to, offset);
        } else {
            byte[] line = QuarantineLine.span(reason.wireName(), sources.getLast(), offset, buffer, from, to);
            append(SliceKind.LINES, 0, path, path.length, line, 0, line.length, offset, offset + to - from);
        }
    }

    /** The object at hand is set aside as a whole, after {@link #dropObject}. */
    public void setAsideWhole(Reason reason, SourceRef source, String etag, long size) throws IOException {
        beginObject(source);
        byte[] path = Quarantine.path(reason);
        byte[] line = QuarantineLine.wholeObject(reason.wireName(), source, size);
        append(SliceKind.LINES, 0, path, path.length, line, 0, line.length, 0, size);
        endObject(etag, size);
    }

    public void beginLong(long offset) throws IOException {
        items++;
        longOffset = offset;
        runs.beginLong();
    }

    public void continueLong(byte[] buffer, int from, int to) throws IOException {
        runs.continueLong(buffer, from, to);
    }

    /** The long span was a record of that partition, or of kind RAW. */
    public void endLong(SliceKind kind, long time, byte[] path, int pathLength) throws IOException {
        int number = partitions.number(kind, time, path, pathLength);
        pending.add(runs.endLong(kind, time, partitions.path(number), sources.getLast(), longOffset));
    }

    /** The long span is set aside. */
    public void endLongSetAside(Reason reason) throws IOException {
        byte[] path = Quarantine.path(reason);
        endLong(SliceKind.RAW, 0, path, path.length);
    }

    /** The object at hand ended without fault: all of it counts. @param size bytes stored */
    public void endObject(String etag, long size) {
        objects.add(new Manifest.ObjectLine(sources.getLast(), etag, size));
        endPart();
    }

    /** What came of the object at hand so far is a part of it that counts; the rest comes with other commits. */
    public void endPart() {
        for (RunWriter.Written run : pending) {
            counting.add(run.info());
            summary.add(run.summary());
        }
        pending.clear();
        mark = arena.count();
    }

    /** Nothing of the object at hand counts. */
    public void dropObject() {
        arena.takeBack(mark);
        pending.clear();
    }

    private void spill() throws IOException {
        if (mark > 0) {
            RunWriter.Written run = runs.write(arena, mark, partitions, sources);
            counting.add(run.info());
            summary.add(run.summary());
            drop(mark);
            mark = 0;
        } else {
            pending.add(runs.write(arena, arena.count(), partitions, sources));
            drop(arena.count());
        }
    }

    private void drop(int entries) {
        arena.dropFirst(entries);
        PartitionTable old = partitions;
        partitions = new PartitionTable();
        arena.renumber(n -> {
            byte[] path = old.pathBytes(n);
            return partitions.number(old.kind(n), old.timePartition(n), path, path.length);
        });
    }

    /** Writes what is left and makes bundle and manifest durable. */
    public BundleSummary complete() throws IOException {
        if (arena.count() > 0) {
            mark = arena.count();
            spill();
        }
        if (counting.isEmpty() && out.writer().isEmpty()) {
            return summary.build(0, 0);
        }
        byte[] footer = IndexFormat.footer(counting);
        out.write(footer, 0, footer.length);
        manifest.complete(counting, objects);
        ObjectWriter writer = out.writer().orElseThrow();
        StagedObjects.complete(staging, key, writer, out.crc32c());
        return summary.build(out.position(), out.crc32c());
    }

    /** Gives up what was written. */
    public void abort() throws IOException {
        Optional<ObjectWriter> writer = out.writer();
        if (writer.isPresent()) {
            writer.get().abort();
        }
        manifest.abort();
    }

    @Override
    public void close() throws IOException {
        Optional<ObjectWriter> writer = out.writer();
        if (writer.isPresent()) {
            writer.get().close();
        }
        manifest.close();
        runs.close();
    }
}
