package dev.stet.aws;

import dev.stet.aws.dynamodb.DynamoDb;
import dev.stet.config.ConfigException;
import dev.stet.ledger.Ledger;
import dev.stet.run.Ledgers;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Ledgers in the tables of a local server. */
public final class TableLedgers implements Ledgers, Closeable {
    private final AwsAccess access = new AwsAccess(
            new FreshCredentials(() -> StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"))));
    private final DynamoDb service;

    public TableLedgers(URI endpoint) throws ConfigException {
        this.service = new DynamoDb(access, Optional.of("eu-west-1"), Optional.of(endpoint.toString()));
    }

    @Override
    public Ledger open(String table, String pipelineId, String source, Clock clock) {
        return service.ledger(table, pipelineId, source, clock);
    }

    @Override
    public Map<String, String> pipelines(String table) {
        throw new UnsupportedOperationException("no run asks");
    }

    @Override
    public void create(String table) throws ConfigException, IOException {
        service.admin().create(table);
    }

    @Override
    public void close() {
        service.close();
        access.close();
    }
}
