package dev.stet.compact;

import dev.stet.codec.SliceCodec;
import dev.stet.codec.SliceEncoder;
import dev.stet.stage.QuarantineLine;
import dev.stet.stage.Slice;
import dev.stet.stage.SliceKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * The plan of a compaction: a merge of the indexes of all runs its header takes, in the order of runs. It is a pure function of the header (bundles never
 * change): walking it again gives the same outputs, whoever walks; so does walking a part of it (see {@link Where}). Memory grows with the number of runs, not
 * of slices.
 *
 * <p>Outputs come by time partition, then path: the oldest day of the archive lands first. Key of an output:
 * {@code <path>/apply-<pipeline id>-<generation>-<ordinal within its path><suffix>}.
 */
final class CompactionPlan {
    /** Lines of spans held apart wait until so many bytes, then they get an output. */
    private static final int MAX_HELD_LINES = 4 << 20;

    private final Header header;
    private final RunHeads heads;
    private final Consumer consumer;

    private Optional<Slice> group = Optional.empty();
    private RunHeads.Mark groupStart;
    private int ordinal;
    private Optional<Output.Builder> output = Optional.empty();
    private final ByteArrayOutputStream heldLines = new ByteArrayOutputStream();

    /** Takes outputs in plan order. */
    interface Consumer {
        /** Takes the next one; {@code where} tells, during the call, where in the indexes it comes from. */
        void accept(Output output, Where where) throws IOException;
    }

    /** Where an output comes from. */
    interface Where {
        /** Where the slices of the output's path begin. With them, the walk comes to this output again after as many others as its ordinal says. */
        RunHeads.Mark pathStart();

        /** Behind all slices that had to be seen for this output. */
        RunHeads.Mark here();
    }

    private final Where where = new Where() {
        @Override
        public RunHeads.Mark pathStart() {
            return groupStart;
        }

        @Override
        public RunHeads.Mark here() {
            return heads.behind();
        }
    };

    CompactionPlan(Header header, RunHeads heads, Consumer consumer) {
        this.header = header;
        this.heads = heads;
        this.consumer = consumer;
        this.groupStart = heads.before();
    }

    void walk() throws IOException {
        for (Optional<RunHeads.Taken> taken = heads.next(); taken.isPresent(); taken = heads.next()) {
            add(taken.get());
        }
        endGroup();
    }

    private void add(RunHeads.Taken taken) throws IOException {
        Slice slice = taken.slice();
        if (group.isEmpty() || !sameGroup(group.get(), slice)) {
            endGroup();
            group = Optional.of(slice);
            groupStart = heads.before();
            ordinal = 0;
        }
        if (slice.kind() != SliceKind.RAW && heldLines.size() > 0) {
            landHeldLines();
        }
        boolean packed = heads.landsPacked(slice);
        Part part = new Part.OfSlice(taken.commit(), taken.run(), slice, !packed && slice.codec() != SliceCodec.NONE);
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
        String name = "%s%04d%s%s".formatted(header.nameBeginning(), ordinal, kind.suffix(), packed ? ".gz" : "");
        String key = path.isEmpty() ? name : path + "/" + name;
        Output.Builder fresh = new Output.Builder(key, group.orElseThrow().timePartition(), ordinal++, kind, packed);
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
            consumer.accept(output.get().build(), where);
            output = Optional.empty();
        }
    }
}
