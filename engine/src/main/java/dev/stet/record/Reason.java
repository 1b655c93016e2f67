package dev.stet.record;

/** Why bytes were set aside (rule book, {@code cases/decisions.md}). The wire name is the folder and JSON value users see. */
public enum Reason {
    INVALID_JSON("invalid_json"),
    TRUNCATED_RECORD("truncated_record"),
    NUL_PADDING("nul_padding"),
    NOT_AN_OBJECT("not_an_object"),
    MISSING_NAMESPACE("missing_namespace"),
    BAD_NAMESPACE("bad_namespace"),
    MISSING_PARTITION("missing_partition"),
    BAD_PARTITION("bad_partition"),
    MISSING_TIME("missing_time"),
    BAD_TIME("bad_time"),
    AMBIGUOUS_TIME("ambiguous_time"),
    DUPLICATE_KEY("duplicate_key"),
    INVALID_UTF8("invalid_utf8"),
    KEY_TOO_LONG("key_too_long"),
    TRAILING_GARBAGE("trailing_garbage"),
    UNSUPPORTED_ENCODING("unsupported_encoding"),
    CORRUPT_COMPRESSION("corrupt_compression"),
    UNSUPPORTED_COMPRESSION("unsupported_compression");

    private final String wireName;

    Reason(String wireName) {
        this.wireName = wireName;
    }

    /** The name in quarantine folders and lines, for instance {@code invalid_json}. */
    public String wireName() {
        return wireName;
    }
}
