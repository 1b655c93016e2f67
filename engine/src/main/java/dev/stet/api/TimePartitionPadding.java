package dev.stet.api;

import java.util.Locale;

/** How numbers of time folders are written. */
public enum TimePartitionPadding {
    /** {@code month=02}. */
    ZERO,
    /** {@code month=2}. */
    NONE;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
