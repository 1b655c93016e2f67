package dev.stet.run;

import dev.stet.audit.Digest;
import dev.stet.compact.LandingMeter;
import dev.stet.copy.CopyMeter;
import dev.stet.ledger.CommitDetails;
import java.time.Clock;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts a run's work and passes events on. Thread-safe. */
final class RunMeter implements CopyMeter, LandingMeter {
    /** In a run that watches, an object that stays unreadable is told once; so many are remembered. */
    private static final int MAX_TOLD = 100_000;

    private final RunListener listener;
    private final Buffers buffers;
    private final Clock clock;
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesToRead = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder landed = new LongAdder();
    private final Set<String> unreadable = new HashSet<>();
    private final Map<String, Long> quarantined = new TreeMap<>();
    private Digest records = Digest.EMPTY;
    private long objectsCopied;
    private volatile boolean listingDone;

    RunMeter(RunListener listener, Buffers buffers, Clock clock) {
        this.listener = listener;
        this.buffers = buffers;
        this.clock = clock;
    }

    void planned(long bytes) {
        bytesToRead.add(bytes);
    }

    void listingDone() {
        listingDone = true;
    }

    /** A look at the whole source begins: what it skips is counted anew. */
    void scanBegins() {
        skipped.reset();
        listingDone = false;
    }

    @Override
    public void read(long bytes) {
        bytesRead.add(bytes);
    }

    @Override
    public void skipped() {
        skipped.increment();
    }

    @Override
    public void unreadable(String key, String reason, String message) {
        synchronized (this) {
            if (unreadable.size() < MAX_TOLD && !unreadable.add(key)) {
                return;
            }
        }
        listener.unreadable(key, reason, message);
    }

    @Override
    public void replaced(String key) {
        listener.replaced(key);
    }

    @Override
    public void partCommitted() {
        // It counts with the last one.
    }

    @Override
    public synchronized void committed(long objects, CommitDetails details) {
        objectsCopied += objects;
        records = records.plus(details.records());
        details.quarantined().forEach((reason, n) -> quarantined.merge(reason, n, Long::sum));
        buffers.add(details.bundleLength(), details.landingBytes(), clock.millis());
    }

    @Override
    public void landed(long bytes) {
        landed.increment();
    }

    synchronized RunCounters counters() {
        return new RunCounters(
                objectsCopied,
                skipped.sum(),
                unreadable.size(),
                records.count(),
                quarantined,
                landed.sum(),
                records.bytes(),
                bytesRead.sum(),
                bytesToRead.sum(),
                records,
                listingDone);
    }
}
