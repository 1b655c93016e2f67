package dev.stet.corpus;

/**
 * The records of one partition that have to lie in objects of one kind.
 *
 * @param kind {@code jsonl}: one record a line, or {@code json}: records with line breaks in them
 */
record Partition(String path, String kind) implements Comparable<Partition> {
    static final String LINES = "jsonl";
    static final String TEXTS = "json";

    @Override
    public int compareTo(Partition other) {
        int byPath = path.compareTo(other.path);
        return byPath != 0 ? byPath : kind.compareTo(other.kind);
    }

    @Override
    public String toString() {
        return path + " (." + kind + ")";
    }
}
