package dev.stet.api;

/** Something that happened while a pipeline ran; the same events as {@code --output json} has. */
public sealed interface Event {
    /** A phase begins: {@code copying}, {@code landing}. */
    record Phase(String name) implements Event {}

    /**
     * A source object could not be read; the next run tries it again.
     *
     * @param source its key, relative to the source
     * @param reason deleted, archived, access_denied, unreadable
     */
    record Unreadable(String source, String reason, String message) implements Event {}

    /** An object that was copied before has new content, which is copied as a new version. */
    record Replaced(String source) implements Event {}

    /** Something that whoever runs the pipeline should know. */
    record Note(String message) implements Event {}
}
