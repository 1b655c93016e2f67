package dev.stet.plan;

import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import dev.stet.store.SourceStore;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Cuts a key range into ranges of about a task's size without listing it: looks at a page of keys (one LIST), extrapolates from it to where a task's worth of keys should end,
 * and looks there. Where folders end in between, it probes how far they go and then strides from folder to folder. A few LISTs a task, however many keys there are.
 *
 * <p>The ranges follow each other without a gap, so that whatever the guesses are worth each key is in one of them: sizes are for balance alone. Not thread-safe.
 */
public final class RangeSplitter {
    /** What one LIST gives. */
    static final int PAGE = 1_000;

    /** Looks at where in a jump a folder ended: gives its size to a quarter of the jump. */
    private static final int FOLDER_PROBES = 3;

    /** Folders next to each other are alike: so many jumps that end one go without a probe. */
    private static final int PROBE_EVERY = 8;

    /** No more keys are counted at once. */
    private static final long MAX_COUNTED = 50_000;

    private final SourceStore source;
    private final TaskSize size;
    private final BooleanSupplier stop;
    private final Calibration calibration;
    private long lists;
    /** About how many keys the last folder had that was probed, and how often that was taken for granted since. */
    private long folderKeys;

    private int notProbed = PROBE_EVERY;

    /** @param stop asked before each look: when true, the rest is left */
    public RangeSplitter(SourceStore source, TaskSize size, BooleanSupplier stop) {
        this(source, size, stop, new Calibration());
    }

    /** Shares what is learnt about guesses with others that split the same source. */
    RangeSplitter(SourceStore source, TaskSize size, BooleanSupplier stop, Calibration calibration) {
        this.calibration = calibration;
        this.source = source;
        this.size = size;
        this.stop = stop;
    }

    /** Takes ranges in key order. */
    public interface Consumer {
        void range(SizedRange range) throws IOException;
    }

    /** LIST requests so far. */
    public long lists() {
        return lists;
    }

    /** Splits; gives what was left because it was to stop. */
    public Optional<KeyRange> split(KeyRange range, Consumer consumer) throws IOException {
        Gatherer out = new Gatherer(consumer, range.after());
        KeyRange rest = range;
        Look look = look(rest);
        while (!look.complete()) {
            if (stop.getAsBoolean()) {
                out.end();
                return Optional.of(new KeyRange(out.from, range.upTo()));
            }
            Jump jump = jump(rest, look);
            long objects = calibrated(new KeyRange(rest.after(), Optional.of(jump.to)), jump.objects);
            out.add(jump.to, objects, (long) (objects * look.meanBytes()));
            rest = new KeyRange(jump.to, range.upTo());
            look = jump.landed;
        }
        out.last(range.upTo(), look);
        return Optional.empty();
    }

    private long calibrated(KeyRange piece, long guess) throws IOException {
        if (guess > MAX_COUNTED || !calibration.next()) {
            return calibration.corrected(guess);
        }
        long keys = count(piece);
        calibration.learn(guess, keys);
        return keys;
    }

    private long count(KeyRange piece) throws IOException {
        long keys = 0;
        try (ObjectListing listing = source.list(piece)) {
            while (keys < MAX_COUNTED && listing.next().isPresent()) {
                keys++;
            }
        }
        lists += 1 + keys / PAGE;
        return keys;
    }

    /** A page of keys. @param complete the range ends with it */
    private record Look(String first, String last, int keys, long bytes, boolean complete, Odometer odometer) {
        double meanBytes() {
            return (double) bytes / Math.max(1, keys);
        }
    }

    /** Where a piece ends, and what is seen behind it. */
    private record Jump(String to, long objects, Look landed) {}

    private Look look(KeyRange range) throws IOException {
        lists++;
        String first = range.after();
        String last = range.after();
        int keys = 0;
        long bytes = 0;
        Odometer odometer = new Odometer();
        try (ObjectListing listing = source.list(range)) {
            Optional<ListEntry> next = listing.next();
            while (next.isPresent() && keys < PAGE) {
                last = next.get().key();
                first = keys == 0 ? last : first;
                bytes += next.get() instanceof ObjectInfo o ? o.size() : 0;
                odometer.see(last);
                keys++;
                next = keys < PAGE ? listing.next() : Optional.empty();
            }
        }
        return new Look(first, last, keys, bytes, keys < PAGE, odometer);
    }

    private Jump jump(KeyRange range, Look look) throws IOException {
        long wanted = size.objectsOf(look.meanBytes());
        if (wanted <= look.keys()) {
            return landAt(range, look.last(), look.keys());
        }
        String target =
                look.odometer().advance(look.first(), look.last(), (double) (wanted - look.keys()) / look.keys());
        Jump jump = landAt(range, target, wanted);
        String folder = folder(look.last());
        if (!folder.equals(folder(look.first()))
                || folder.equals(folder(jump.landed().first()))) {
            return jump;
        }
        if (jump.landed().keys() == 0) {
            return jump;
        }
        if (notProbed++ >= PROBE_EVERY || folderKeys > wanted) {
            folderKeys = look.keys() + probed(range, look, target, folder, wanted - look.keys());
            notProbed = 0;
        }
        long inFolder = folderKeys;
        long folders = wanted / inFolder;
        if (folders < 2) {
            return new Jump(jump.to(), inFolder, jump.landed());
        }
        // So many folders like this one; the last letter of both names is the slash.
        String next = folder(jump.landed().first());
        Odometer odometer = new Odometer();
        odometer.see(folder);
        odometer.see(next);
        String further = odometer.advance(folder, next, folders - 1.0);
        return KeyOrder.compare(further, jump.to()) > 0
                ? landAt(range, further, inFolder * folders)
                : new Jump(jump.to(), inFolder, jump.landed());
    }

    /** About how many keys the folder has behind the page, by a few looks at what was jumped over. */
    private long probed(KeyRange range, Look look, String target, String folder, long jumped) throws IOException {
        int low = 0;
        int high = FOLDER_PROBES + 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            double factor = (double) jumped / look.keys() * middle / (FOLDER_PROBES + 1);
            String at = look.odometer().advance(look.first(), look.last(), factor);
            Look there = look(new KeyRange(KeyOrder.compare(at, target) < 0 ? at : target, range.upTo()));
            if (there.keys() > 0 && folder.equals(folder(there.first()))) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return jumped * (2L * low + 1) / (2L * (FOLDER_PROBES + 1));
    }

    private Jump landAt(KeyRange range, String target, long objects) throws IOException {
        String to = range.upTo().isPresent()
                        && KeyOrder.compare(target, range.upTo().get()) > 0
                ? range.upTo().get()
                : target;
        return new Jump(to, objects, look(new KeyRange(to, range.upTo())));
    }

    private static String folder(String key) {
        return key.substring(0, key.lastIndexOf('/') + 1);
    }

    /** Puts small neighbours together. */
    private final class Gatherer {
        private final Consumer consumer;
        private String from;
        private String to;
        private long objects;
        private long bytes;
        private boolean exact = true;

        Gatherer(Consumer consumer, String from) {
            this.consumer = consumer;
            this.from = from;
            this.to = from;
        }

        void add(String end, long moreObjects, long moreBytes) throws IOException {
            if (objects > 0 && isTooMuch(moreObjects, moreBytes)) {
                end();
            }
            to = end;
            objects += moreObjects;
            bytes += moreBytes;
            exact = false;
        }

        private boolean isTooMuch(long moreObjects, long moreBytes) {
            return objects + moreObjects > size.objects() || bytes + moreBytes > size.bytes();
        }

        void end() throws IOException {
            if (!to.equals(from)) {
                consumer.range(new SizedRange(new KeyRange(from, Optional.of(to)), objects, bytes, exact));
                from = to;
                objects = 0;
                bytes = 0;
                exact = true;
            }
        }

        /** The rest of the range, however much it is. */
        void last(Optional<String> end, Look look) throws IOException {
            if (look.keys() > 0 && objects > 0 && isTooMuch(look.keys(), look.bytes())) {
                end();
            }
            consumer.range(new SizedRange(new KeyRange(from, end), objects + look.keys(), bytes + look.bytes(), exact));
        }
    }
}
