package dev.stet.aws.s3;

/** Why S3Proxy 4.1 cannot show some of the contract. */
final class S3ProxyLimits {
    static final String ORDER = "it orders keys beyond U+FFFF as UTF-16 does, which is noticed and refused";

    private S3ProxyLimits() {}
}
