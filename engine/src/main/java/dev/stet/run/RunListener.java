package dev.stet.run;

/** Hears of a run while it goes. Called from several threads; must return at once. */
public interface RunListener {
    /** A phase begins, for the progress line: {@code copying}, {@code landing}. */
    void phase(String name);

    /** A source object could not be read. {@code reason}: deleted, archived, access_denied, unreadable. */
    void unreadable(String source, String reason, String message);

    /** An object that was copied before has new content; it is copied as a new version. */
    void replaced(String source);

    /** Something the user should know, one line. */
    void note(String text);
}
