package dev.stet.codec;

import java.io.IOException;

/** Compressed bytes that were read as they are, but do not decode: a bad checksum, a cut or senseless frame. Never a failure to read. */
public final class DamagedDataException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedDataException(String detail) {
        super(detail);
    }
}
