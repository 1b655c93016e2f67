package dev.stet.cli;

/** How a run is told. */
enum OutputMode {
    /** A live line on standard error, then as {@link #TEXT}. */
    PROGRESS,
    TEXT,
    /** Events and a summary on standard output, one JSON object a line. */
    JSON
}
