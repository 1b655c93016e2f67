package dev.stet.corpus;

/** Where a record goes. */
sealed interface Fate {
    /**
     * It lands.
     *
     * @param path relative to the sink
     */
    record Lands(String path) implements Fate {}

    record SetAside(String reason) implements Fate {}
}
