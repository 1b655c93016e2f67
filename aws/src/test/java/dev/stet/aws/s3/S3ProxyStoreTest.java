package dev.stet.aws.s3;

import dev.stet.aws.CannotShow;

/** Small objects as one PUT. */
@CannotShow(test = "listsInTheOrderOfUtf8Bytes", because = S3ProxyLimits.ORDER)
final class S3ProxyStoreTest extends S3StoreContract {
    @Override
    protected S3Server server() {
        return Servers.s3Proxy();
    }

    @Override
    protected StoreOptions options() {
        return StoreOptions.DEFAULT;
    }
}
