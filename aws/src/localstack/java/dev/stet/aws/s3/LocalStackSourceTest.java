package dev.stet.aws.s3;

import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.localstack.LocalStackContainer;

/** Skipped where there is no Docker. */
@Testcontainers(disabledWithoutDocker = true)
final class LocalStackSourceTest extends S3SourceContract {
    @Container
    private static final LocalStackContainer CONTAINER = LocalStack.container();

    private static S3Server server;

    @BeforeAll
    static void connect() {
        server = LocalStack.server(CONTAINER);
    }

    @Override
    protected S3Server server() {
        return server;
    }
}
