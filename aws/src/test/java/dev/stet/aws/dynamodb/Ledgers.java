package dev.stet.aws.dynamodb;

import dev.stet.aws.FreshCredentials;
import dev.stet.copy.Backoff;
import java.time.Clock;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Ledgers on the clients of tests. */
final class Ledgers {
    /** So small that the tests meet the ends of extents. */
    static final int PAGES_PER_EXTENT = 4;

    private Ledgers() {}

    static FreshCredentials credentials() {
        return new FreshCredentials(() -> StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")));
    }

    static TableCalls calls(DynamoDbClient client, String table) {
        return new TableCalls(client, credentials(), table, Backoff.exponential());
    }

    static DynamoDbLedger open(DynamoDbClient client, String table, String pipeline, String source, Clock clock) {
        return new DynamoDbLedger(calls(client, table), pipeline, source, PAGES_PER_EXTENT, clock);
    }
}
