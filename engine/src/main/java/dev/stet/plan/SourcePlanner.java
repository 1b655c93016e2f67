package dev.stet.plan;

import dev.stet.fanout.FanOut;
import dev.stet.stage.TaskFile;
import dev.stet.store.KeyRange;
import dev.stet.store.SourceStore;
import dev.stet.task.SourceTask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Cuts a source into copy tasks and writes them to staging, in key order. Splits coarsely first, then each part by itself, many at a time: planning waits for listings. Holds
 * the tasks of one plan, some 300 bytes each. Thread-safe.
 */
public final class SourcePlanner {
    /** Parts planned side by side are so many tasks large. */
    private static final int COARSE = 64;

    /** Pages of an extent: about a million objects. */
    private static final long EXTENT_OBJECTS = 1_000_000;

    /** What a ledger takes of extents, with room. */
    private static final int MAX_EXTENT_BYTES = 250_000;

    private final SourceStore source;
    private final TaskSize size;
    private final int threads;
    private final BooleanSupplier stop;

    /** @param stop when true, what is not split yet is left */
    public SourcePlanner(SourceStore source, TaskSize size, int threads, BooleanSupplier stop) {
        this.source = source;
        this.size = size;
        this.threads = threads;
        this.stop = stop;
    }

    /**
     * How a source was cut.
     *
     * @param objects about how many there are
     * @param bytes about how many are stored
     * @param lists LIST requests made
     * @param left what was not split because it was to stop: to be planned by another call
     * @param extents keys after which a ledger may begin extents, if it has not begun
     */
    public record Planned(long tasks, long objects, long bytes, long lists, List<KeyRange> left, List<String> extents) {
        public Planned {
            left = List.copyOf(left);
            extents = List.copyOf(extents);
        }
    }

    /** Writes the range's tasks. */
    public Planned plan(KeyRange range, TaskFile file) throws IOException {
        TaskSize coarse = new TaskSize(size.objects() * COARSE, size.bytes() * COARSE);
        List<Part> parts = new ArrayList<>();
        RangeSplitter splitter = new RangeSplitter(source, coarse, stop);
        Optional<KeyRange> left = splitter.split(range, r -> parts.add(new Part(r.range())));
        Calibration calibration = new Calibration();
        try (FanOut<Part> out =
                new FanOut<>("plan", threads, () -> part -> part.split(source, size, stop, calibration))) {
            for (Part part : parts) {
                out.submit(part);
            }
            out.finish();
        }
        Sums sums = new Sums(splitter.lists());
        for (Part part : parts) {
            sums.add(part);
            for (SizedRange r : part.ranges) {
                file.add(new SourceTask.Range(r.range()).toLine());
            }
        }
        left.ifPresent(sums.left::add);
        return new Planned(sums.tasks, sums.objects, sums.bytes, sums.lists, sums.left, extents(parts));
    }

    /** One coarse part, split by one thread. */
    private static final class Part {
        private final KeyRange range;
        private final List<SizedRange> ranges = new ArrayList<>();
        private Optional<KeyRange> left = Optional.empty();
        private long lists;

        Part(KeyRange range) {
            this.range = range;
        }

        void split(SourceStore source, TaskSize size, BooleanSupplier stop, Calibration calibration)
                throws IOException {
            RangeSplitter splitter = new RangeSplitter(source, size, stop, calibration);
            left = splitter.split(range, ranges::add);
            lists = splitter.lists();
        }
    }

    private static final class Sums {
        private long tasks;
        private long objects;
        private long bytes;
        private long lists;
        private final List<KeyRange> left = new ArrayList<>();

        Sums(long lists) {
            this.lists = lists;
        }

        void add(Part part) {
            tasks += part.ranges.size();
            for (SizedRange r : part.ranges) {
                objects += r.objects();
                bytes += r.bytes();
            }
            lists += part.lists;
            part.left.ifPresent(left::add);
        }
    }

    private static List<String> extents(List<Part> parts) {
        List<String> firsts = new ArrayList<>();
        long since = 0;
        for (Part part : parts) {
            for (SizedRange r : part.ranges) {
                if (since >= EXTENT_OBJECTS && !r.range().after().isEmpty()) {
                    firsts.add(r.range().after());
                    since = 0;
                }
                since += r.objects();
            }
        }
        return thinned(firsts);
    }

    /** Every second one, until they fit. */
    static List<String> thinned(List<String> keys) {
        List<String> some = keys;
        while (some.stream()
                        .mapToLong(k -> k.getBytes(StandardCharsets.UTF_8).length + 8L)
                        .sum()
                > MAX_EXTENT_BYTES) {
            List<String> half = new ArrayList<>();
            for (int i = 1; i < some.size(); i += 2) {
                half.add(some.get(i));
            }
            some = half;
        }
        return some;
    }
}
