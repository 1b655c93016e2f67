package dev.stet.aws.s3;

final class MiniStackRunTest extends S3RunContract {
    @Override
    protected S3Server server() {
        return Servers.miniStack();
    }
}
