package dev.stet.aws.dynamodb;

import dev.stet.aws.FreshCredentials;
import dev.stet.copy.Backoff;
import dev.stet.ledger.Ledger.Outcome;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * The calls on one table. All reads are strongly consistent; every write is one transaction of conditional changes, be it of one item, so that there is one
 * way in which a write can end. Whether it was applied rests on conditions and on what is read back, never on the request token, which the service knows for
 * ten minutes only. Thread-safe.
 */
final class TableCalls {
    /** How often a write that met another one is repeated before its sender is told that nothing is known. */
    private static final int MAX_CONFLICTS = 30;

    private static final Set<String> PASSING =
            Set.of("None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded");
    private static final String CONDITION_FAILED = "ConditionalCheckFailed";

    private final DynamoDbClient client;
    private final FreshCredentials credentials;
    private final String table;
    private final Backoff backoff;
    private final Failures failures;

    TableCalls(DynamoDbClient client, FreshCredentials credentials, String table, Backoff backoff) {
        this.client = client;
        this.credentials = credentials;
        this.table = table;
        this.backoff = backoff;
        this.failures = new Failures(table);
    }

    Optional<Row> get(Map<String, AttributeValue> key) throws IOException {
        try {
            return credentials.call(() -> {
                var answer = client.getItem(r -> r.tableName(table).key(key).consistentRead(true));
                return answer.hasItem() && !answer.item().isEmpty()
                        ? Optional.of(new Row(answer.item()))
                        : Optional.empty();
            });
        } catch (SdkException e) {
            throw failures.ofRead(e);
        }
    }

    /** The item with the greatest sort key of a partition that fulfils a condition on sort key {@code :sort}. */
    Optional<Row> last(String partition, String sortCondition, Map<String, AttributeValue> sort) throws IOException {
        Map<String, AttributeValue> values = new HashMap<>(sort);
        values.put(":partition", Row.string(partition));
        return query(r -> r.keyConditionExpression(Row.PARTITION + " = :partition" + sortCondition)
                        .expressionAttributeValues(values)
                        .scanIndexForward(false)
                        .limit(1))
                .items()
                .stream()
                .findFirst()
                .map(Row::new);
    }

    /** All items of a partition, in order of their sort keys. */
    List<Row> all(String partition) throws IOException {
        List<Row> rows = new ArrayList<>();
        Map<String, AttributeValue> from = Map.of();
        do {
            Map<String, AttributeValue> start = from;
            QueryResponse page = query(r -> from(start, r)
                    .keyConditionExpression(Row.PARTITION + " = :partition")
                    .expressionAttributeValues(Map.of(":partition", Row.string(partition))));
            page.items().forEach(item -> rows.add(new Row(item)));
            from = page.lastEvaluatedKey();
        } while (!from.isEmpty());
        return rows;
    }

    /** Where a query goes on; from the start where there is no key yet. */
    static QueryRequest.Builder from(Map<String, AttributeValue> key, QueryRequest.Builder request) {
        return key.isEmpty() ? request : request.exclusiveStartKey(key);
    }

    QueryResponse query(UnaryOperator<QueryRequest.Builder> request) throws IOException {
        QueryRequest built = request.apply(
                        QueryRequest.builder().tableName(table).consistentRead(true))
                .build();
        try {
            return credentials.call(() -> client.query(built));
        } catch (SdkException e) {
            throw failures.ofRead(e);
        }
    }

    /** Sets attributes of an item, making the item where it is not there and the condition allows that. */
    TransactWriteItem set(
            Map<String, AttributeValue> key, Condition condition, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> values = new HashMap<>(condition.values());
        List<String> assignments = new ArrayList<>();
        new TreeMap<>(attributes).forEach((name, value) -> {
            String variable = ":s" + assignments.size();
            assignments.add(name + " = " + variable);
            values.put(variable, value);
        });
        return TransactWriteItem.builder()
                .update(u -> u.tableName(table)
                        .key(key)
                        .conditionExpression(condition.expression())
                        .updateExpression("SET " + String.join(", ", assignments))
                        .expressionAttributeValues(values))
                .build();
    }

    /**
     * Adds to numbers of an item, making it where it is not there. Not repeated by a token: what was applied, unheard and sent again by the SDK counts twice.
     *
     * @param amounts by names that have the prefix of {@link Row#counter}
     */
    void add(Map<String, AttributeValue> key, Map<String, Long> amounts) throws IOException {
        Map<String, AttributeValue> values = new HashMap<>();
        List<String> additions = new ArrayList<>();
        new TreeMap<>(amounts).forEach((name, amount) -> {
            String variable = ":a" + additions.size();
            additions.add(Row.counter(name) + " " + variable);
            values.put(variable, Row.number(amount));
        });
        try {
            var _ = credentials.call(() -> client.updateItem(r -> r.tableName(table)
                    .key(key)
                    .updateExpression("ADD " + String.join(", ", additions))
                    .expressionAttributeValues(values)));
        } catch (SdkException e) {
            throw failures.ofWrite(e);
        }
    }

    TransactWriteItem delete(Map<String, AttributeValue> key, Condition condition) {
        return TransactWriteItem.builder()
                .delete(d -> d.tableName(table)
                        .key(key)
                        .conditionExpression(condition.expression())
                        .expressionAttributeValues(condition.values()))
                .build();
    }

    TransactWriteItem check(Map<String, AttributeValue> key, Condition condition) {
        return TransactWriteItem.builder()
                .conditionCheck(c -> c.tableName(table)
                        .key(key)
                        .conditionExpression(condition.expression())
                        .expressionAttributeValues(condition.values()))
                .build();
    }

    /** Applies all changes or none; refused when a condition failed, unless that was this very write's own doing. */
    Outcome write(List<TransactWriteItem> changes, Optional<Proof> proof) throws IOException {
        for (int conflicts = 0; ; conflicts++) {
            try {
                var _ = credentials.call(() -> client.transactWriteItems(r -> r.transactItems(changes)));
                return Outcome.APPLIED;
            } catch (TransactionCanceledException e) {
                if (conditionFailed(e)) {
                    return proof.isPresent() && found(proof.get()) ? Outcome.APPLIED : Outcome.REFUSED;
                }
                waitOrGiveUp(e, conflicts);
            } catch (TransactionConflictException | TransactionInProgressException e) {
                waitOrGiveUp(e, conflicts);
            } catch (SdkException e) {
                throw failures.ofWrite(e);
            }
        }
    }

    /** As {@link #write}, for changes that are as good when another made them. */
    void writeIfMay(TransactWriteItem change) throws IOException {
        Outcome _ = write(List.of(change), Optional.empty());
    }

    /** Of all the reasons, each counts: one failed condition is final, and anything that is neither that nor passing is a fault of this program. */
    private boolean conditionFailed(TransactionCanceledException e) throws IOException {
        List<String> codes = e.hasCancellationReasons()
                ? e.cancellationReasons().stream().map(CancellationReason::code).toList()
                : List.of();
        if (codes.isEmpty() || !codes.stream().allMatch(c -> PASSING.contains(c) || c.equals(CONDITION_FAILED))) {
            throw failures.ofWrite(e);
        }
        return codes.contains(CONDITION_FAILED);
    }

    private boolean found(Proof proof) throws IOException {
        try {
            return get(proof.key()).filter(proof::isIn).isPresent();
        } catch (IOException e) {
            throw new UnknownOutcomeException(
                    "table " + table + ": whether a write was applied cannot be read back", e);
        }
    }

    private void waitOrGiveUp(DynamoDbException e, int conflicts) throws IOException {
        if (conflicts == MAX_CONFLICTS) {
            throw new UnknownOutcomeException("table " + table + " is too busy", e);
        }
        backoff.pause(conflicts);
    }

    /** The client as it is, for calls on the table itself. */
    <T> T admin(Function<DynamoDbClient, T> call) throws IOException {
        try {
            return credentials.call(() -> call.apply(client));
        } catch (SdkException e) {
            throw failures.ofRead(e);
        }
    }
}
