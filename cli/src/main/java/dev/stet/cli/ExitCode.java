package dev.stet.cli;

/** Exit codes of the command; after SIGINT and SIGTERM the JVM ends with 130 and 143 by itself. */
final class ExitCode {
    /** Every source byte is landed or quarantined (with {@code --no-flush}: committed). */
    static final int OK = 0;

    static final int FAILED = 1;

    /** Usage or configuration error. */
    static final int USAGE = 2;

    /** Finished, but some source objects could not be read. */
    static final int INCOMPLETE = 3;

    private ExitCode() {}
}
