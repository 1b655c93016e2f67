package dev.stet.corpus;

/** Is told, in archive order, what has to become of each byte that is not framing. */
interface Outcomes {
    /** A record lands, byte for byte, in the partition of that path. */
    void lands(String source, long offset, byte[] record, String path);

    /** A span goes to quarantine. White space at its end may be left out. */
    void setAside(String source, long offset, byte[] span, String reason);

    /** A whole object goes to quarantine. */
    void wholeObject(String source, byte[] stored, String reason);

    /** An object was made; {@code copied} unless it has nothing to copy. */
    void object(String source, boolean copied);
}
