package dev.stet.corpus;

/** What stands between the records of an object. */
enum Framing {
    NEWLINE,
    /** Nothing at all, as Firehose writes. */
    CONCAT,
    CRLF,
    /** Line ends with blank and half-blank lines between. */
    BLANK_LINES,
    /** Nothing, white space, line ends, as it comes. */
    MIXED,
    /** Arrays of records. */
    ARRAY,
    /** Records over many lines. */
    PRETTY;

    /** Whether each record stands on a line of its own, so that a damaged one costs no other. */
    boolean lines() {
        return this == NEWLINE || this == CRLF || this == BLANK_LINES;
    }
}
