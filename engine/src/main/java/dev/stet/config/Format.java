package dev.stet.config;

/** What the records of a source are. */
public enum Format {
    JSON,
    CSV,
    XML
}
