package dev.stet.route;

/** The finest time folder of the layout. */
public enum TimeUnit {
    YEAR,
    MONTH,
    DAY,
    HOUR,
    MINUTE
}
