package dev.stet.aws.dynamodb;

import dev.stet.aws.AwsAccess;
import dev.stet.config.ConfigException;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.PipelineRow;
import dev.stet.run.Ledgers;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** DynamoDB for the engine's runs. Nothing of the SDK is loaded before the first table is opened. Thread-safe. */
public final class DynamoDbLedgers implements Ledgers, Closeable {
    private record Opened(AwsAccess access, DynamoDb service) {}

    private final Supplier<AwsAccess> access;
    private final Optional<String> region;
    private final Optional<String> endpointUrl;
    private Optional<Opened> opened = Optional.empty();

    public DynamoDbLedgers() {
        this(AwsAccess::withDefaults, Optional.empty(), Optional.empty());
    }

    /**
     * Opens nothing yet. Settings given here go before the SDK's own.
     *
     * @param access is asked once, for the first table, and closed with this object
     */
    public DynamoDbLedgers(Supplier<AwsAccess> access, Optional<String> region, Optional<String> endpointUrl) {
        this.access = access;
        this.region = region;
        this.endpointUrl = endpointUrl;
    }

    @Override
    public Ledger open(String table, String pipelineId, String source, Clock clock) throws ConfigException {
        return service().ledger(table, pipelineId, source, clock);
    }

    @Override
    public Map<String, String> pipelines(String table) throws ConfigException, IOException {
        Map<String, String> byId = new TreeMap<>();
        for (PipelineRow row : service().pipelines(table)) {
            byId.put(row.id(), row.source() + " to " + row.sink());
        }
        return byId;
    }

    @Override
    public void create(String table) throws ConfigException, IOException {
        service().admin().create(table);
    }

    private synchronized DynamoDb service() throws ConfigException {
        if (opened.isEmpty()) {
            AwsAccess first = access.get();
            opened = Optional.of(new Opened(first, new DynamoDb(first, region, endpointUrl)));
        }
        return opened.get().service();
    }

    @Override
    public synchronized void close() {
        opened.ifPresent(o -> {
            o.service().close();
            o.access().close();
        });
        opened = Optional.empty();
    }
}
