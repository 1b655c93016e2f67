package dev.stet.run;

/** How a run ended. {@code stopped}: asked to stop, what was whole is committed. */
public record RunResult(RunCounters counters, long elapsedMillis, boolean stopped) {
    /** Finished, but some source objects could not be read (exit code 3). */
    public boolean incomplete() {
        return counters.objectsUnreadable() > 0;
    }
}
