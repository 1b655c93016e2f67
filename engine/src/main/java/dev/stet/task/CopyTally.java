package dev.stet.task;

import dev.stet.copy.CopyMeter;
import dev.stet.ledger.CommitDetails;
import java.util.List;
import java.util.Map;

/** Counts one task's work. Thread-safe. */
final class CopyTally implements CopyMeter {
    private CopyCounters sum = CopyCounters.NONE;
    private long bytesRead;
    private long skipped;
    private long gone;
    private long replaced;
    private long parts;

    @Override
    public synchronized void read(long bytes) {
        bytesRead += bytes;
    }

    @Override
    public synchronized void skipped() {
        skipped++;
    }

    synchronized void gone() {
        gone++;
    }

    @Override
    public synchronized void replaced(String key) {
        replaced++;
    }

    @Override
    public synchronized void unreadable(String key, String reason, String message) {
        CopyCounters.Unreadable one = new CopyCounters.Unreadable(key, reason, message);
        sum = sum.plus(new CopyCounters(
                0, 0, 0, 0, 0, 0, Map.of(), 0, 0, 0, CopyCounters.NONE.records(), Map.of(reason, 1L), List.of(one)));
    }

    @Override
    public synchronized void partCommitted() {
        parts++;
    }

    @Override
    public synchronized void committed(long objectsCopied, CommitDetails d) {
        sum = sum.plus(new CopyCounters(
                objectsCopied,
                0,
                0,
                0,
                1 + d.parts().size(),
                0,
                d.quarantined(),
                0,
                d.bundleLength(),
                d.landingBytes(),
                d.records(),
                Map.of(),
                List.of()));
    }

    synchronized CopyCounters counters() {
        return sum.plus(new CopyCounters(
                0,
                skipped,
                gone,
                replaced,
                0,
                parts,
                Map.of(),
                bytesRead,
                0,
                0,
                CopyCounters.NONE.records(),
                Map.of(),
                List.of()));
    }
}
