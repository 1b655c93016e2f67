package dev.stet.stage;

import java.io.IOException;

/** Runs before the first byte of a bundle or of its manifest is staged; running it again does nothing. */
public interface BeforeFirstByte {
    void run() throws IOException;
}
