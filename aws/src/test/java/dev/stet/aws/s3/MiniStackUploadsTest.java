package dev.stet.aws.s3;

/** Every object as a multipart upload, and each store a process of its own. */
final class MiniStackUploadsTest extends S3StoreContract {
    @Override
    protected S3Server server() {
        return Servers.miniStack();
    }

    @Override
    protected StoreOptions options() {
        return StoreOptions.DEFAULT.withUploadsOnly();
    }

    /** Listing is no matter of how objects were written. */
    @Override
    protected int many() {
        return 60;
    }
}
