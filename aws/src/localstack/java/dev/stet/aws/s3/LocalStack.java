package dev.stet.aws.s3;

import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;

/** LocalStack in Docker. Images from March 2026 on ask for a token, so an older one is named. */
final class LocalStack {
    private LocalStack() {}

    static LocalStackContainer container() {
        return new LocalStackContainer(DockerImageName.parse("localstack/localstack:4.12"))
                .withServices("s3", "dynamodb");
    }

    static S3Server server(LocalStackContainer container) {
        return new S3Server(container.getEndpoint(), container.getAccessKey(), container.getSecretKey());
    }
}
