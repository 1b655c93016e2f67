package dev.stet.stage;

import java.io.IOException;

/** Runs once, before the first byte of a bundle is staged. */
public interface BeforeFirstByte {
    void run() throws IOException;
}
