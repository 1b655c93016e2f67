package dev.stet.api;

import java.util.Locale;

/** The finest time folder, in UTC. */
public enum BatchTimeUnit {
    YEAR,
    MONTH,
    DAY,
    HOUR,
    MINUTE;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
