package dev.stet.cli;

import dev.stet.run.RunListener;
import dev.stet.run.RunResult;

/** Tells users of one run, from its first note to its end. */
interface Reporter extends RunListener, AutoCloseable {
    void finished(RunResult result);

    /** Ends whatever still draws. */
    @Override
    void close();
}
