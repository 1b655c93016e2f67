package dev.stet.compact;

import java.io.IOException;

/** The run was asked to stop while it landed; the generation stays OPEN and the next run goes on with it. */
public final class LandingStoppedException extends IOException {
    private static final long serialVersionUID = 1L;

    LandingStoppedException() {
        super("stopped while landing");
    }
}
