package dev.stet.aws.s3;

/** What a call needs the permission for, as IAM names it. */
enum Action {
    LIST("s3:ListBucket", true, false),
    READ("s3:GetObject", false, false),
    WRITE("s3:PutObject", false, true),
    DELETE("s3:DeleteObject", false, true),
    LIST_UPLOADS("s3:ListBucketMultipartUploads", true, false),
    ABORT("s3:AbortMultipartUpload", false, true),
    READ_LIFECYCLE("s3:GetLifecycleConfiguration", true, false);

    private final String permission;
    private final boolean onBucket;
    private final boolean changes;

    Action(String permission, boolean onBucket, boolean changes) {
        this.permission = permission;
        this.onBucket = onBucket;
        this.changes = changes;
    }

    /** Whether a call whose answer was lost may have changed something. */
    boolean changes() {
        return changes;
    }

    /** For example {@code s3:GetObject on arn:aws:s3:::devices/raw/*}. @param key may end in a star */
    String on(String bucket, String key) {
        return permission + " on arn:aws:s3:::" + bucket + (onBucket ? "" : "/" + key);
    }
}
