package dev.stet.aws.s3;

import dev.stet.aws.CannotShow;

/** Every object as a multipart upload, and each store a process of its own. */
@CannotShow(test = "listsInTheOrderOfUtf8Bytes", because = S3ProxyLimits.ORDER)
final class S3ProxyUploadsTest extends S3StoreContract {
    @Override
    protected S3Server server() {
        return Servers.s3Proxy();
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
