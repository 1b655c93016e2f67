package dev.stet.aws.s3;

/**
 * How the keys of a bucket become keys relative to a source given as a string prefix. Keys in the prefix's folder lose it: {@code raw/a} is {@code a},
 * whether the source is {@code raw} or {@code raw/}. What else {@code raw} matches is beside the folder and written so: {@code raw2/b} is
 * {@code ../raw2/b}, an object {@code raw} is {@code ../raw}, and one named like the folder itself, {@code raw/}, is {@code ../raw/}.
 *
 * <p>No two objects get one key, since a key inside the folder that begins with {@code ../} is not admitted. Among the keys inside, and among those
 * beside, order is kept; the latter come where {@code ../} does.
 */
record SourceKeys(String prefix) {
    static final String BESIDE = "../";
    /** The least string greater than every key beside the folder: the slash of {@link #BESIDE}, plus one. */
    static final String AFTER_BESIDE = "..0";

    /** Every key of the folder begins with it; empty for a whole bucket, which has nothing beside. */
    String folder() {
        return prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
    }

    /** Up to and with the slash before the folder's name. */
    private String parent() {
        String folder = folder();
        return folder.substring(0, folder.lastIndexOf('/', folder.length() - 2) + 1);
    }

    boolean wholeBucket() {
        return prefix.isEmpty();
    }

    boolean inside(String full) {
        return full.startsWith(folder()) && full.length() > folder().length();
    }

    String relative(String full) {
        return inside(full) ? full.substring(folder().length()) : BESIDE + full.substring(parent().length());
    }

    /** Inverse of {@link #relative}. */
    String full(String relative) {
        return !wholeBucket() && relative.startsWith(BESIDE)
                ? parent() + relative.substring(BESIDE.length())
                : folder() + relative;
    }
}
