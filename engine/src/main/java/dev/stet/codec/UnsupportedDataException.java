package dev.stet.codec;

import java.io.IOException;

/** Compressed bytes in a form that is known and not read here. */
final class UnsupportedDataException extends IOException {
    private static final long serialVersionUID = 1L;

    UnsupportedDataException(String detail) {
        super(detail);
    }
}
