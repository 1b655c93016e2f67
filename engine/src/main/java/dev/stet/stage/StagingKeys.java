package dev.stet.stage;

/** Keys in staging. */
public final class StagingKeys {
    private StagingKeys() {}

    public static String bundle(String commitId) {
        return "bundles/" + commitId;
    }

    public static String manifest(String commitId) {
        return "manifests/" + commitId + ".jsonl.gz";
    }

    public static String header(String checksum) {
        return "headers/" + checksum;
    }

    /** Every file of a compaction's plans lies under {@code plans/} and has a name that begins so. */
    public static String planBeginning(long generation) {
        return "plan-%06d-".formatted(generation);
    }

    /**
     * Beginning of the keys of one plan's files.
     *
     * @param planId letters, digits and dashes, new for each plan
     */
    public static String plan(long generation, String planId) {
        return PLANS + planBeginning(generation) + planId;
    }

    /** Says that the task at {@code offset} of that plan's tasks is landed. They sort by offset. */
    public static String landed(String plan, long offset) {
        return plan + "-landed-%016x".formatted(offset);
    }

    public static final String PLANS = "plans/";
}
