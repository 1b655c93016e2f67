package dev.stet.api;

import dev.stet.run.RunCounters;
import dev.stet.run.RunResult;
import java.time.Duration;

/** How a run ended that did not fail. */
public record Outcome(Ending ending, RunCounters counters, Duration elapsed) {
    /** What the end of a run means. */
    public enum Ending {
        /** Every source byte is landed or quarantined; without flush, committed. */
        COMPLETE,
        /** Finished, but some source objects could not be read. Each was told of, and the next run tries them again. */
        INCOMPLETE,
        /** Asked to stop. What was whole is committed, the next run goes on from there. */
        STOPPED
    }

    static Outcome of(RunResult result) {
        Ending ending = result.stopped() ? Ending.STOPPED : result.incomplete() ? Ending.INCOMPLETE : Ending.COMPLETE;
        return new Outcome(ending, result.counters(), Duration.ofMillis(result.elapsedMillis()));
    }

    /** The exit code of a command that ended so: 3 if some objects could not be read, else 0. */
    public int exitCode() {
        return counters.objectsUnreadable() > 0 ? 3 : 0;
    }
}
