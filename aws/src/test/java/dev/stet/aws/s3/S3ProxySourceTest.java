package dev.stet.aws.s3;

import dev.stet.aws.CannotShow;

@CannotShow(test = "listsInTheOrderOfUtf8Bytes", because = S3ProxyLimits.ORDER)
@CannotShow(test = "readsObjectsOfOddNames", because = S3ProxyLimits.ORDER)
@CannotShow(test = "anyRangeListsTheKeysInIt", because = S3ProxyLimits.ORDER)
@CannotShow(test = "rangesThatTouchHoldEachKeyOnce", because = S3ProxyLimits.ORDER)
final class S3ProxySourceTest extends S3SourceContract {
    @Override
    protected S3Server server() {
        return Servers.s3Proxy();
    }
}
