package dev.stet.compact;

import dev.stet.codec.SliceCodec;
import dev.stet.codec.SliceDecoder;
import dev.stet.stage.BlockInputStream;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import dev.stet.store.UnknownOutcomeException;
import java.io.EOFException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;

/** Lands the outputs of one task: moves their slices' bytes, completes, reads back. Repeating it gives the same bytes under the same keys. Not thread-safe. */
final class Lander implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final int MIN_BLOCK = 16 << 10;
    private static final int MAX_BLOCK = 4 << 20;

    private final Header header;
    private final ObjectStore staging;
    private final ObjectStore sink;
    private final long memory;
    private final BooleanSupplier stop;
    private final LandingMeter meter;
    private final Map<SliceCodec, SliceDecoder> decoders = new EnumMap<>(SliceCodec.class);
    private final byte[] buffer = new byte[BUFFER];

    /** @param memory bytes for reading ahead, shared by the runs that a task reads */
    Lander(
            Header header,
            ObjectStore staging,
            ObjectStore sink,
            long memory,
            BooleanSupplier stop,
            LandingMeter meter) {
        this.header = header;
        this.staging = staging;
        this.sink = sink;
        this.memory = memory;
        this.stop = stop;
        this.meter = meter;
    }

    private record RunKey(int commit, int run) {}

    private record Range(long from, long to) {
        Range with(Range other) {
            return new Range(Math.min(from, other.from), Math.max(to, other.to));
        }
    }

    /** @param mayExist whether an earlier try may have landed some of it, so that a look before the work can spare it */
    void land(LandingTask task, boolean mayExist) throws IOException {
        Map<RunKey, BlockInputStream> readers = readers(task);
        for (Output output : task.outputs()) {
            if (stop.getAsBoolean()) {
                throw new LandingStoppedException();
            }
            StoredObject planned = new StoredObject(output.length(), output.crc32c());
            if (mayExist) {
                Optional<StoredObject> there = sink.readBack(output.key());
                if (there.isPresent()) {
                    requireSame(output, planned, there);
                    continue;
                }
            }
            try {
                write(output, readers);
            } catch (IOException e) {
                // Another compactor may have been faster: it aborts what is still open, and the bundles may be swept.
                // Then the output is there.
                if (!isThere(output, planned, e)) {
                    throw e;
                }
            }
            requireSame(output, planned, sink.readBack(output.key()));
            meter.landed(output.length());
        }
    }

    /** Looks whether an output is there after all; what goes wrong then is told beside the failure that led here. */
    private boolean isThere(Output output, StoredObject planned, IOException cause) {
        try {
            return sink.readBack(output.key()).equals(Optional.of(planned));
        } catch (IOException e) {
            cause.addSuppressed(e);
            return false;
        }
    }

    /** One reader a run, each reading ahead; none when so many runs would not fit memory: then each slice is read alone. */
    private Map<RunKey, BlockInputStream> readers(LandingTask task) {
        Map<RunKey, Range> ranges = new HashMap<>();
        for (Output o : task.outputs()) {
            for (Part p : o.parts()) {
                if (p instanceof Part.OfSlice s) {
                    long from = s.slice().offset();
                    Range range = new Range(from, from + s.slice().stagedLength());
                    ranges.merge(new RunKey(s.commit(), s.run()), range, Range::with);
                }
            }
        }
        if (ranges.size() * (long) MIN_BLOCK > memory) {
            return Map.of();
        }
        int block = Math.clamp(memory / Math.max(1, ranges.size()), MIN_BLOCK, MAX_BLOCK);
        Map<RunKey, BlockInputStream> readers = new HashMap<>();
        ranges.forEach((run, range) -> readers.put(run, reader(run, range, block)));
        return readers;
    }

    private BlockInputStream reader(RunKey run, Range range, int block) {
        String bundle = header.commits().get(run.commit()).bundleKey();
        long length = range.to() - range.from();
        return new BlockInputStream(
                staging, bundle, range.from(), length, Math.toIntExact(Math.min(block, Math.max(1, length))));
    }

    /** Where a slice is read from: its run's reader, or one of its own, given up right after. */
    private BlockInputStream readerOf(Part.OfSlice s, Map<RunKey, BlockInputStream> readers) {
        RunKey run = new RunKey(s.commit(), s.run());
        long from = s.slice().offset();
        return Optional.ofNullable(readers.get(run))
                .orElseGet(() -> reader(run, new Range(from, from + s.slice().stagedLength()), BUFFER));
    }

    private void write(Output output, Map<RunKey, BlockInputStream> readers) throws IOException {
        try (ObjectWriter writer = sink.create(output.key())) {
            try {
                Checked out = new Checked(writer);
                for (Part part : output.parts()) {
                    copy(part, readers, out);
                }
                if (writer.length() != output.length() || out.crc32c() != output.crc32c()) {
                    throw new IOException("the staged bytes of " + output.key() + " fail their checksum: "
                            + staging.describe() + " is damaged");
                }
                writer.complete(output.crc32c());
            } catch (UnknownOutcomeException e) {
                // It may be there, now or later. Reading back decides.
            } catch (IOException | RuntimeException e) {
                giveUp(writer, e);
                throw e;
            }
        }
    }

    /** What led here is the one to tell, also where giving up is refused; finishing the generation aborts what stays open. */
    private static void giveUp(ObjectWriter writer, Exception cause) {
        try {
            writer.abort();
        } catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private void copy(Part part, Map<RunKey, BlockInputStream> readers, Checked out) throws IOException {
        switch (part) {
            case Part.Literal literal -> out.write(literal.bytes(), 0, literal.bytes().length);
            case Part.OfSlice s -> {
                BlockInputStream in = readerOf(s, readers);
                in.skipTo(s.slice().offset());
                if (s.unpack()) {
                    decoders.computeIfAbsent(s.slice().codec(), SliceDecoder::new)
                            .decode(in, s.slice().stagedLength(), out::write);
                } else {
                    copyBytes(in, s.slice().stagedLength(), out);
                }
            }
        }
    }

    private void copyBytes(BlockInputStream in, long length, Checked out) throws IOException {
        long left = length;
        while (left > 0) {
            int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0) {
                throw new EOFException("a staged bundle ends early: " + staging.describe());
            }
            out.write(buffer, 0, n);
            left -= n;
        }
    }

    private void requireSame(Output output, StoredObject planned, Optional<StoredObject> there) throws IOException {
        if (there.isEmpty()) {
            throw new StoreException("an object that was just landed is not there: " + sink.describe(output.key()));
        }
        if (!there.get().equals(planned)) {
            throw new StoreException(
                    "the sink holds another object under the key of one to be landed: "
                            + sink.describe(output.key())
                            + " (was it written with another state folder, or changed since? move it away, or use the state it belongs to)");
        }
    }

    @Override
    public void close() {
        decoders.values().forEach(SliceDecoder::close);
    }

    /** Bytes on their way to the sink. */
    private static final class Checked {
        private final ObjectWriter writer;
        private final CRC32C crc = new CRC32C();

        Checked(ObjectWriter writer) {
            this.writer = writer;
        }

        void write(byte[] bytes, int from, int to) throws IOException {
            writer.write(bytes, from, to);
            crc.update(bytes, from, to - from);
        }

        int crc32c() {
            return (int) crc.getValue();
        }
    }
}
