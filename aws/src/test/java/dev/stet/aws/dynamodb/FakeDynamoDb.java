package dev.stet.aws.dynamodb;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The part of DynamoDB that the ledger uses, in memory, for as much concurrency and bad weather as one likes: one table, conditions evaluated, transactions
 * that happen whole or not at all and conflict with others under way on the same items, the service's limits. Request tokens are not honoured: nothing may
 * rest on them. {@code FakeDynamoDbTest} compares it with another implementation.
 */
final class FakeDynamoDb implements DynamoDbClient {
    private static final int MAX_ACTIONS = 100;
    private static final int MAX_ITEM_BYTES = 400 * 1024;
    private static final int MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;
    /** The service's is 1 MiB; less, so that answers end in the middle. */
    private static final int MAX_QUERY_BYTES = 4 * 1024;
    /** How many writes a late one comes late. */
    private static final int LATE_BY = 7;

    private record Key(String partition, Expression.Scalar sort) {}

    private final Weather weather;
    private final Map<String, NavigableMap<Expression.Scalar, Map<String, AttributeValue>>> partitions =
            new HashMap<>();
    private final Set<Key> busy = ConcurrentHashMap.newKeySet();
    private final Queue<TransactWriteItemsRequest> late = new ArrayDeque<>();
    private int sinceLate;

    FakeDynamoDb(Weather weather) {
        this.weather = weather;
    }

    @Override
    public String serviceName() {
        return "dynamodb";
    }

    @Override
    public void close() {}

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        requireConsistent(request.consistentRead());
        synchronized (partitions) {
            Map<String, AttributeValue> item = item(key(request.key()));
            return GetItemResponse.builder().item(item).build();
        }
    }

    @Override
    public QueryResponse query(QueryRequest request) {
        requireConsistent(request.consistentRead());
        Map<String, AttributeValue> values =
                values(request.hasExpressionAttributeValues(), request.expressionAttributeValues());
        Expression.Condition keys = understood(request.keyConditionExpression(), values);
        Optional<Expression.Condition> filter =
                Optional.ofNullable(request.filterExpression()).map(f -> understood(f, values));
        Set<String> used = new HashSet<>(keys.used());
        filter.ifPresent(f -> used.addAll(f.used()));
        requireUsed(values, used);
        List<Map<String, AttributeValue>> found = new ArrayList<>();
        Map<String, AttributeValue> last = Map.of();
        synchronized (partitions) {
            NavigableMap<Expression.Scalar, Map<String, AttributeValue>> partition =
                    partitions.getOrDefault(values.get(":partition").s(), new TreeMap<>());
            boolean ascending = request.scanIndexForward() == null || request.scanIndexForward();
            var ordered = ascending ? partition : partition.descendingMap();
            if (request.hasExclusiveStartKey()) {
                ordered = ordered.tailMap(key(request.exclusiveStartKey()).sort(), false);
            }
            int limit = request.limit() == null ? Integer.MAX_VALUE : request.limit();
            int bytes = 0;
            int evaluated = 0;
            for (Map<String, AttributeValue> item : ordered.values()) {
                if (!keys.holds().test(item)) {
                    continue;
                }
                bytes += size(item);
                evaluated++;
                if (filter.isEmpty() || filter.get().holds().test(item)) {
                    found.add(item);
                }
                if (evaluated == limit || bytes > MAX_QUERY_BYTES) {
                    last = Map.of(Row.PARTITION, item.get(Row.PARTITION), Row.SORT, item.get(Row.SORT));
                    break;
                }
            }
        }
        return QueryResponse.builder().items(found).lastEvaluatedKey(last).build();
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        deliverLate();
        switch (weather.next()) {
            case NOTHING -> {}
            case CONFLICT -> throw cancelled(reasons(request, "TransactionConflict"));
            case THROTTLED -> throw cancelled(reasons(request, "ThrottlingError"));
            case SENT_TWICE -> applyUnheard(request);
            case SERVER_ERROR -> throw answer("InternalServerError", 500);
            case LOST -> {
                applyUnheard(request);
                throw broken();
            }
            case LATE -> {
                synchronized (late) {
                    late.add(request);
                }
                throw broken();
            }
        }
        apply(request);
        return TransactWriteItemsResponse.builder().build();
    }

    /** {@code ADD} of numbers alone, with no condition: for counters. */
    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        if (request.conditionExpression() != null) {
            throw invalid("a condition outside of a transaction");
        }
        Map<String, AttributeValue> values =
                values(request.hasExpressionAttributeValues(), request.expressionAttributeValues());
        Map<String, Long> additions;
        try {
            additions = Expression.additions(request.updateExpression(), values);
        } catch (IllegalArgumentException e) {
            throw invalid("Invalid expression: " + e.getMessage());
        }
        Key key = key(request.key());
        synchronized (partitions) {
            Map<String, AttributeValue> item = new HashMap<>(item(key));
            item.putAll(request.key());
            additions.forEach((name, n) -> item.merge(
                    name, Row.number(n), (a, b) -> Row.number(Long.parseLong(a.n()) + Long.parseLong(b.n()))));
            partitions.computeIfAbsent(key.partition(), p -> new TreeMap<>()).put(key.sort(), Map.copyOf(item));
        }
        return UpdateItemResponse.builder().build();
    }

    private void deliverLate() {
        TransactWriteItemsRequest arrived;
        synchronized (late) {
            sinceLate++;
            if (late.isEmpty() || sinceLate < LATE_BY) {
                return;
            }
            sinceLate = 0;
            arrived = late.remove();
        }
        applyUnheard(arrived);
    }

    private void applyUnheard(TransactWriteItemsRequest request) {
        try {
            apply(request);
        } catch (DynamoDbException unheard) {
            // Nobody gets this answer.
        }
    }

    /** One action, in a common form. */
    private record Action(
            Map<String, AttributeValue> key,
            String condition,
            String update,
            boolean delete,
            Map<String, AttributeValue> values) {}

    private void apply(TransactWriteItemsRequest request) {
        List<Action> actions =
                request.transactItems().stream().map(FakeDynamoDb::action).toList();
        List<Key> keys = actions.stream().map(a -> key(a.key())).toList();
        if (actions.isEmpty() || actions.size() > MAX_ACTIONS) {
            throw invalid("a transaction of " + actions.size() + " actions");
        }
        if (new HashSet<>(keys).size() < keys.size()) {
            throw invalid("Transaction request cannot include multiple operations on one item");
        }
        List<Key> mine = new ArrayList<>();
        try {
            List<String> conflicts = new ArrayList<>();
            for (Key key : keys) {
                boolean free = busy.add(key);
                conflicts.add(free ? "None" : "TransactionConflict");
                if (free) {
                    mine.add(key);
                }
            }
            if (conflicts.contains("TransactionConflict")) {
                throw cancelled(conflicts);
            }
            // So that others come meanwhile.
            LockSupport.parkNanos(1_000);
            synchronized (partitions) {
                applyAlone(actions, keys);
            }
        } finally {
            mine.forEach(busy::remove);
        }
    }

    private void applyAlone(List<Action> actions, List<Key> keys) {
        List<Map<String, AttributeValue>> results = new ArrayList<>();
        List<String> codes = new ArrayList<>();
        int bytes = 0;
        for (int i = 0; i < actions.size(); i++) {
            Action a = actions.get(i);
            Map<String, AttributeValue> item = new HashMap<>(item(keys.get(i)));
            Expression.Condition condition = understood(a.condition(), a.values());
            Set<String> used = new HashSet<>(condition.used());
            codes.add(condition.holds().test(item) ? "None" : "ConditionalCheckFailed");
            if (!a.update().isEmpty()) {
                Expression.Assignments set = Expression.assignments(a.update(), a.values());
                used.addAll(set.used());
                item.putAll(a.key());
                item.putAll(set.attributes());
            }
            requireUsed(a.values(), used);
            if (size(item) > MAX_ITEM_BYTES) {
                throw invalid("Item size has exceeded the maximum allowed size");
            }
            bytes += size(item);
            results.add(item);
        }
        if (bytes > MAX_TRANSACTION_BYTES) {
            throw invalid("the transaction is too large");
        }
        if (codes.contains("ConditionalCheckFailed")) {
            throw cancelled(codes);
        }
        for (int i = 0; i < actions.size(); i++) {
            Key key = keys.get(i);
            if (actions.get(i).delete()) {
                partitions.getOrDefault(key.partition(), new TreeMap<>()).remove(key.sort());
            } else if (!actions.get(i).update().isEmpty()) {
                partitions
                        .computeIfAbsent(key.partition(), p -> new TreeMap<>())
                        .put(key.sort(), Map.copyOf(results.get(i)));
            }
        }
    }

    private static Action action(TransactWriteItem t) {
        if (t.update() != null) {
            var u = t.update();
            return new Action(
                    u.key(),
                    u.conditionExpression(),
                    u.updateExpression(),
                    false,
                    values(u.hasExpressionAttributeValues(), u.expressionAttributeValues()));
        }
        if (t.delete() != null) {
            var d = t.delete();
            return new Action(
                    d.key(),
                    d.conditionExpression(),
                    "",
                    true,
                    values(d.hasExpressionAttributeValues(), d.expressionAttributeValues()));
        }
        var c = t.conditionCheck();
        return new Action(
                c.key(),
                c.conditionExpression(),
                "",
                false,
                values(c.hasExpressionAttributeValues(), c.expressionAttributeValues()));
    }

    private static Map<String, AttributeValue> values(boolean given, Map<String, AttributeValue> values) {
        if (given && values.isEmpty()) {
            throw invalid("ExpressionAttributeValues must not be empty");
        }
        return values;
    }

    private static Expression.Condition understood(String text, Map<String, AttributeValue> values) {
        try {
            return Expression.condition(text, values);
        } catch (IllegalArgumentException e) {
            throw invalid("Invalid expression: " + e.getMessage());
        }
    }

    private static void requireUsed(Map<String, AttributeValue> values, Set<String> used) {
        if (!used.containsAll(values.keySet())) {
            throw invalid("Value provided in ExpressionAttributeValues unused in expressions: " + values.keySet());
        }
    }

    private static void requireConsistent(Boolean consistent) {
        if (consistent == null || !consistent) {
            throw invalid("the ledger may read only what is certain");
        }
    }

    private static Key key(Map<String, AttributeValue> key) {
        AttributeValue sort = key.get(Row.SORT);
        int length = sort.b().asByteArray().length;
        if (length == 0 || length > 1_024 || Row.utf8(key.get(Row.PARTITION).s()).length > 2_048) {
            throw invalid("One or more parameter values were invalid: size of a key");
        }
        return new Key(key.get(Row.PARTITION).s(), new Expression.Scalar(sort));
    }

    private Map<String, AttributeValue> item(Key key) {
        return partitions.getOrDefault(key.partition(), new TreeMap<>()).getOrDefault(key.sort(), Map.of());
    }

    private static int size(Map<String, AttributeValue> item) {
        return item.entrySet().stream()
                .mapToInt(e -> Row.utf8(e.getKey()).length + size(e.getValue()))
                .sum();
    }

    private static int size(AttributeValue v) {
        return switch (v.type()) {
            case S -> Row.utf8(v.s()).length;
            case B -> v.b().asByteArray().length;
            case N -> v.n().length() / 2 + 2;
            case M -> 3 + size(v.m());
            case L -> 3 + v.l().stream().mapToInt(e -> 1 + size(e)).sum();
            default -> 1;
        };
    }

    private static List<String> reasons(TransactWriteItemsRequest request, String code) {
        int last = request.transactItems().size() - 1;
        return IntStream.rangeClosed(0, last)
                .mapToObj(i -> i == last ? code : "None")
                .toList();
    }

    private static TransactionCanceledException cancelled(List<String> codes) {
        return TransactionCanceledException.builder()
                .cancellationReasons(codes.stream()
                        .map(c -> CancellationReason.builder().code(c).build())
                        .toList())
                .message("Transaction cancelled " + codes)
                .awsErrorDetails(details("TransactionCanceledException"))
                .statusCode(400)
                .build();
    }

    private static DynamoDbException invalid(String message) {
        return (DynamoDbException) DynamoDbException.builder()
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("ValidationException")
                        .errorMessage(message)
                        .build())
                .message(message)
                .statusCode(400)
                .build();
    }

    private static DynamoDbException answer(String code, int status) {
        return (DynamoDbException) DynamoDbException.builder()
                .awsErrorDetails(details(code))
                .statusCode(status)
                .build();
    }

    private static AwsErrorDetails details(String code) {
        return AwsErrorDetails.builder().errorCode(code).errorMessage(code).build();
    }

    private static SdkClientException broken() {
        return SdkClientException.create("Unable to execute HTTP request", new IOException("Connection reset"));
    }
}
