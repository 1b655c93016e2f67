package dev.stet.aws.s3;

import dev.stet.aws.CannotShow;

@CannotShow(
        test = "listsAnyNumberOfObjects",
        because = "13,500 objects take it minutes; S3ProxySourceTest lists them, and MiniStackStoreTest 2,500")
final class MiniStackSourceTest extends S3SourceContract {
    @Override
    protected S3Server server() {
        return Servers.miniStack();
    }
}
