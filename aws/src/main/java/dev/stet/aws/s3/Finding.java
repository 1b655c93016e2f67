package dev.stet.aws.s3;

/**
 * What a {@link S3Preflight} found, in one line for the user.
 *
 * @param stops whether the run cannot begin; otherwise it is a note
 */
public record Finding(boolean stops, String text) {
    static Finding stop(String text) {
        return new Finding(true, text);
    }

    static Finding note(String text) {
        return new Finding(false, text);
    }
}
