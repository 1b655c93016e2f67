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
}
