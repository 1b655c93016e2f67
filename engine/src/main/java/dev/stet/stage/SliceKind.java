package dev.stet.stage;

/** What a slice's bytes are, and so the ending of the object they land in. The order is that of the plan: spans held apart before the lines that name them. */
public enum SliceKind {
    /** One span set aside, its bytes alone (design §7, {@code held_in}). */
    RAW(".raw"),
    /** One-line records, each with a line feed after it. */
    LINES(".jsonl"),
    /** Records with line feeds inside, each with a line feed after it (rule book D9). */
    TEXTS(".json");

    private final String suffix;

    SliceKind(String suffix) {
        this.suffix = suffix;
    }

    public String suffix() {
        return suffix;
    }
}
