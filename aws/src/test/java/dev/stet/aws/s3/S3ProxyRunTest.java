package dev.stet.aws.s3;

final class S3ProxyRunTest extends S3RunContract {
    @Override
    protected S3Server server() {
        return Servers.s3Proxy();
    }
}
