package dev.stet.aws.s3;

/** Small objects as one PUT. */
final class MiniStackStoreTest extends S3StoreContract {
    @Override
    protected S3Server server() {
        return Servers.miniStack();
    }

    @Override
    protected StoreOptions options() {
        return StoreOptions.DEFAULT;
    }
}
