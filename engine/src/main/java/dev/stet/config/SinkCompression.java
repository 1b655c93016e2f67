package dev.stet.config;

/** How landed objects are packed. GZIP: {@code .jsonl.gz}, concatenated members. */
public enum SinkCompression {
    NONE,
    GZIP
}
