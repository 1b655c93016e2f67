package dev.stet.functions;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.AwsSettings;
import dev.stet.aws.dynamodb.DynamoDb;
import dev.stet.aws.s3.S3Clients;
import dev.stet.config.ConfigException;
import java.io.Closeable;
import java.net.URI;
import java.util.Optional;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.SfnClientBuilder;

/** The clients of one process, over one pool of connections. Thread-safe. */
final class Clients implements Closeable {
    private final AwsAccess access;
    private final S3Clients s3;
    private final DynamoDb tables;

    /** @param access closed with this */
    Clients(AwsAccess access, Optional<String> region, Optional<String> endpointUrl) throws ConfigException {
        this.access = access;
        this.s3 = new S3Clients(access);
        this.tables = new DynamoDb(access, region, endpointUrl);
    }

    S3Clients s3() {
        return s3;
    }

    DynamoDb tables() {
        return tables;
    }

    /** For the schedule alone; the caller closes it. */
    SfnClient stateMachines() throws ConfigException {
        return stateMachines(access)
                .overrideConfiguration(o -> o.retryStrategy(AwsAccess.retries()))
                .build();
    }

    /** A client over an access, with the retries of the SDK. */
    static SfnClientBuilder stateMachines(AwsAccess access) throws ConfigException {
        Optional<URI> endpoint = AwsSettings.endpoint("SFN", Optional.empty());
        SfnClientBuilder builder = SfnClient.builder()
                .httpClient(access.http())
                .credentialsProvider(access.credentials())
                .region(AwsSettings.region(Optional.empty()).orElse(Region.US_EAST_1));
        endpoint.ifPresent(builder::endpointOverride);
        return builder;
    }

    @Override
    public void close() {
        tables.close();
        s3.close();
        access.close();
    }
}
