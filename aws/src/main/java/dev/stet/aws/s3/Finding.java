package dev.stet.aws.s3;

/**
 * What a {@link S3Preflight} found, in one line for the user.
 *
 * @param text for most kinds begins with the place, a colon and a space
 */
public record Finding(Kind kind, String text) {
    /** What it means for the run. */
    public enum Kind {
        /** Good to know. */
        NOTE,
        /** The run cannot begin. */
        STOP,
        /** The run cannot begin, and asking further would only take time: nobody answers, or nobody knows who we are. */
        NO_ANSWER
    }

    static Finding stop(String text) {
        return new Finding(Kind.STOP, text);
    }

    static Finding note(String text) {
        return new Finding(Kind.NOTE, text);
    }

    static Finding noAnswer(String text) {
        return new Finding(Kind.NO_ANSWER, text);
    }

    /** Whether the run cannot begin. */
    boolean stops() {
        return kind != Kind.NOTE;
    }
}
