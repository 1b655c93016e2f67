package dev.stet.aws.dynamodb;

import dev.stet.copy.Backoff;
import dev.stet.ledger.LedgerException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** Makes tables. */
public final class TableAdmin {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final List<AttributeDefinition> ATTRIBUTES = List.of(
            AttributeDefinition.builder()
                    .attributeName(Row.PARTITION)
                    .attributeType(ScalarAttributeType.S)
                    .build(),
            AttributeDefinition.builder()
                    .attributeName(Row.SORT)
                    .attributeType(ScalarAttributeType.B)
                    .build());
    private static final List<KeySchemaElement> KEY = List.of(
            KeySchemaElement.builder()
                    .attributeName(Row.PARTITION)
                    .keyType(KeyType.HASH)
                    .build(),
            KeySchemaElement.builder()
                    .attributeName(Row.SORT)
                    .keyType(KeyType.RANGE)
                    .build());

    private final Function<String, TableCalls> calls;
    private final Backoff backoff;

    TableAdmin(Function<String, TableCalls> calls, Backoff backoff) {
        this.calls = calls;
        this.backoff = backoff;
    }

    /**
     * Makes the table, on demand, or takes one of that form that is there already. Returns when it is active.
     *
     * @throws LedgerException when a table of that name has another form
     */
    public void create(String table) throws IOException {
        TableCalls on = calls.apply(table);
        String _ = on.admin(client -> {
            try {
                var _ = client.createTable(r -> r.tableName(table)
                        .attributeDefinitions(ATTRIBUTES)
                        .keySchema(KEY)
                        .billingMode(BillingMode.PAY_PER_REQUEST));
            } catch (ResourceInUseException thereAlready) {
                // Perhaps by an earlier try of this very call: looked at below.
            }
            return table;
        });
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int i = 0; ; i++) {
            Optional<TableDescription> found = describe(on, table);
            if (found.isPresent() && !hasForm(found.get())) {
                throw new LedgerException("table " + table + " is there and is no ledger; choose another name");
            }
            String status = found.map(TableDescription::tableStatusAsString).orElse("not seen yet");
            if (status.equals(TableStatus.ACTIVE.toString())) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new LedgerException(
                        "table " + table + " is not active yet (" + status + "); run the same command again");
            }
            backoff.pause(i);
        }
    }

    private static boolean hasForm(TableDescription table) {
        return table.keySchema().equals(KEY) && table.attributeDefinitions().containsAll(ATTRIBUTES);
    }

    /** Empty while the service has not yet heard of a table that it just made. */
    private static Optional<TableDescription> describe(TableCalls on, String table) throws IOException {
        return on.admin(client -> {
            try {
                return Optional.of(client.describeTable(r -> r.tableName(table)).table());
            } catch (ResourceNotFoundException e) {
                return Optional.empty();
            }
        });
    }
}
