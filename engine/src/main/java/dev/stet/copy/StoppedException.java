package dev.stet.copy;

import java.io.IOException;

/** The run was asked to stop in the middle of an object; the object is left for the next run. */
final class StoppedException extends IOException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
        super("stopped");
    }
}
