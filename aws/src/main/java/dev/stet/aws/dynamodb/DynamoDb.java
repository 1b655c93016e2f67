package dev.stet.aws.dynamodb;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.AwsSettings;
import dev.stet.config.ConfigException;
import dev.stet.copy.Backoff;
import dev.stet.ledger.PipelineRow;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Makes ledgers in DynamoDB. Region, endpoint and credentials come from the SDK's own settings; no other service is asked. Thread-safe. */
public final class DynamoDb implements Closeable {
    /** About 32 MB of pages, far from what a partition can hold or serve. */
    private static final int PAGES_PER_EXTENT = 1_000;

    private final AwsAccess access;
    private final DynamoDbClient client;

    /**
     * As {@link #DynamoDb(AwsAccess, Optional, Optional)}, by the SDK's settings alone.
     *
     * @param access not closed with this
     */
    public DynamoDb(AwsAccess access) throws ConfigException {
        this(access, Optional.empty(), Optional.empty());
    }

    /**
     * Settings of the configuration go before the SDK's own.
     *
     * @param access not closed with this
     */
    public DynamoDb(AwsAccess access, Optional<String> region, Optional<String> endpointUrl) throws ConfigException {
        this.access = access;
        Optional<URI> endpoint = AwsSettings.endpoint("DYNAMODB", endpointUrl);
        Optional<Region> known = AwsSettings.region(region);
        if (known.isEmpty() && endpoint.isEmpty()) {
            throw new ConfigException("the region of the DynamoDB table is not known; set AWS_REGION");
        }
        DynamoDbClientBuilder builder = DynamoDbClient.builder()
                .httpClient(access.http())
                .credentialsProvider(access.credentials())
                .region(known.orElse(Region.US_EAST_1))
                .overrideConfiguration(o -> o.retryStrategy(AwsAccess.retries()));
        endpoint.ifPresent(builder::endpointOverride);
        this.client = builder.build();
    }

    /**
     * The ledger of a pipeline over a source. The table must exist.
     *
     * @param pipelineId without {@code #}
     */
    public DynamoDbLedger ledger(String table, String pipelineId, String source, Clock clock) {
        return new DynamoDbLedger(calls(table), pipelineId, source, PAGES_PER_EXTENT, clock);
    }

    /** What every pipeline in the table stored of itself, by id. */
    public List<PipelineRow> pipelines(String table) throws IOException {
        return DynamoDbLedger.pipelines(calls(table));
    }

    /** What the registry keeps in the table. The table must exist. */
    public Documents documents(String table) {
        return new Documents(calls(table));
    }

    public TableAdmin admin() {
        return new TableAdmin(this::calls, Backoff.exponential());
    }

    private TableCalls calls(String table) {
        return new TableCalls(client, access.credentials(), table, Backoff.exponential());
    }

    @Override
    public void close() {
        client.close();
    }
}
