package dev.stet.cli;

import dev.stet.run.RunCounters;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** One line on a terminal, drawn anew five times a second: objects, records, MB/s, time left. */
final class ProgressLine implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 200;
    private static final int WINDOW = 25;

    private final PrintStream err;
    private final int columns;
    private final Supplier<RunCounters> counters;
    private final Thread painter = new Thread(this::paint, "stet-progress");
    private final Deque<Sample> samples = new ArrayDeque<>();
    private String phase = "starting";
    private int drawn;
    private boolean closed;

    private record Sample(long nanos, long bytes) {}

    ProgressLine(PrintStream err, int columns, Supplier<RunCounters> counters) {
        this.err = err;
        this.columns = columns;
        this.counters = counters;
    }

    void start() {
        painter.setDaemon(true);
        painter.start();
    }

    synchronized void phase(String name) {
        phase = name;
    }

    /** Prints something else where the line stands; the line comes again below it. */
    synchronized void aside(Runnable printing) {
        erase();
        printing.run();
    }

    @Override
    public synchronized void close() {
        erase();
        closed = true;
        painter.interrupt();
    }

    private void paint() {
        try {
            while (draw()) {
                Thread.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean draw() {
        RunCounters now = counters.get();
        synchronized (this) {
            if (closed) {
                return false;
            }
            String text = text(phase, now, rate(System.nanoTime(), now.bytesRead()));
            String shown = text.substring(0, Math.min(text.length(), columns - 1));
            err.print('\r' + shown + " ".repeat(Math.max(0, drawn - shown.length())));
            err.flush();
            drawn = shown.length();
            return true;
        }
    }

    private void erase() {
        if (drawn > 0) {
            err.print('\r' + " ".repeat(drawn) + '\r');
            err.flush();
            drawn = 0;
        }
    }

    /** Bytes a second over the last seconds. */
    private double rate(long nanos, long bytes) {
        samples.addLast(new Sample(nanos, bytes));
        if (samples.size() > WINDOW) {
            samples.removeFirst();
        }
        Sample first = samples.getFirst();
        long passed = nanos - first.nanos();
        return passed == 0 ? 0 : (bytes - first.bytes()) * 1e9 / passed;
    }

    static String text(String phase, RunCounters c, double bytesPerSecond) {
        StringBuilder line = new StringBuilder(phase)
                .append(": ")
                .append(Units.count(c.objectsCopied(), "object"))
                .append(", ")
                .append(Units.count(c.recordsCopied(), "record"));
        if (c.landedObjects() > 0) {
            line.append(", ").append(Units.number(c.landedObjects())).append(" landed");
        }
        long left = c.bytesToRead() - c.bytesRead();
        if (left > 0 || bytesPerSecond > 0) {
            line.append(", ").append(Units.bytes((long) bytesPerSecond)).append("/s");
        }
        if (left > 0 && bytesPerSecond > 0) {
            // While the source is still being listed there is more to come than the plan knows.
            line.append(c.listingDone() ? ", " : ", more than ")
                    .append(Units.duration((long) (left / bytesPerSecond * 1000)))
                    .append(" left");
        }
        return line.toString();
    }
}
