package dev.stet.codec;

import java.io.IOException;

/** Takes bytes in pieces. The array is borrowed: it is valid during the call only. */
@FunctionalInterface
public interface ByteSink {
    void write(byte[] bytes, int from, int to) throws IOException;
}
