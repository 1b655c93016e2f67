package dev.stet.aws.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.MiniStack;
import dev.stet.copy.Backoff;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** The fake is believed only because another implementation answers random requests in the same way. */
class FakeDynamoDbTest {
    private static final List<String> PARTITIONS = List.of("p", "q#\u00e9");
    private static final List<AttributeValue> SORTS = IntStream.of(0x00, 0x01, 0x7f, 0x80, 0xff)
            .boxed()
            .flatMap(i -> IntStream.range(0, 2)
                    .mapToObj(more -> Row.binary(
                            more == 0 ? new byte[] {i.byteValue()} : new byte[] {i.byteValue(), (byte) 0xf0})))
            .toList();
    private static final List<String> NAMES = List.of("a_n", "a_s", "a_b", "a_f");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void answersAsAnotherImplementation(long seed) throws Exception {
        MiniStack server = MiniStack.shared();
        String table = "fake-" + UUID.randomUUID();
        try (AwsAccess access = new AwsAccess(Ledgers.credentials());
                DynamoDbClient real = DynamoDbClient.builder()
                        .httpClient(access.http())
                        .credentialsProvider(access.credentials())
                        .region(Region.EU_WEST_1)
                        .endpointOverride(server.endpoint())
                        .build()) {
            new TableAdmin(name -> Ledgers.calls(real, name), Backoff.exponential()).create(table);
            FakeDynamoDb fake = new FakeDynamoDb(Weather.calm());
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 150; i++) {
                List<TransactWriteItem> changes = changes(random, table);
                assertThat(transact(fake, changes)).as("%s", changes).isEqualTo(transact(real, changes));
                QueryRequest query = query(random, table);
                assertThat(fake.query(query).items())
                        .as("%s", query)
                        .isEqualTo(real.query(query).items());
                Map<String, AttributeValue> key = key(random);
                assertThat(fake.getItem(r -> r.key(key).consistentRead(true)).item())
                        .isEqualTo(real.getItem(r -> r.tableName(table).key(key).consistentRead(true))
                                .item());
            }
        }
    }

    /** What is allowed in a request; MiniStack is laxer than the service here and there, so this is from the service's documentation. */
    @Test
    void holdsTheLimitsOfTheService() {
        FakeDynamoDb fake = new FakeDynamoDb(Weather.calm());
        TableCalls table = Ledgers.calls(fake, "t");
        List<TransactWriteItem> tooMany = IntStream.range(0, 101)
                .mapToObj(i -> table.set(
                        Row.primaryKey("p", Row.generation(i)), Condition.absent(), Map.of("a_n", Row.number(i))))
                .toList();
        refused(fake, tooMany);
        refused(fake, List.of(tooMany.getFirst(), tooMany.getFirst()));
        refused(
                fake,
                List.of(table.set(
                        Row.primaryKey("p", Row.binary(new byte[0])),
                        Condition.absent(),
                        Map.of("a_n", Row.number(1)))));
        refused(
                fake,
                List.of(table.set(
                        Row.primaryKey("p", Row.binary(new byte[1_025])),
                        Condition.absent(),
                        Map.of("a_n", Row.number(1)))));
        refused(
                fake,
                List.of(table.set(
                        Row.primaryKey("p", Row.generation(1)),
                        Condition.absent(),
                        Map.of("a_b", Row.binary(new byte[400 * 1024])))));
        refused(fake, List.of(table.check(Row.primaryKey("p", Row.generation(1)), Condition.absent())));
        assertThat(transact(fake, tooMany.subList(0, 100))).isEqualTo("applied");
    }

    private static void refused(FakeDynamoDb fake, List<TransactWriteItem> changes) {
        assertThatExceptionOfType(DynamoDbException.class)
                .isThrownBy(() -> fake.transactWriteItems(r -> r.transactItems(changes)))
                .matches(e -> e.awsErrorDetails().errorCode().equals("ValidationException"));
    }

    private static String transact(DynamoDbClient client, List<TransactWriteItem> changes) {
        try {
            var _ = client.transactWriteItems(r -> r.transactItems(changes));
            return "applied";
        } catch (TransactionCanceledException e) {
            return e.cancellationReasons().stream()
                    .map(CancellationReason::code)
                    .toList()
                    .toString();
        }
    }

    private static List<TransactWriteItem> changes(SplittableRandom random, String name) {
        TableCalls table = Ledgers.calls(new FakeDynamoDb(Weather.calm()), name);
        Map<Map<String, AttributeValue>, TransactWriteItem> changes = new HashMap<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            Map<String, AttributeValue> key = key(random);
            Condition condition = condition(random);
            changes.put(
                    key,
                    switch (condition.values().isEmpty() ? 0 : random.nextInt(4)) {
                        case 1 -> table.delete(key, condition);
                        case 2 -> table.check(key, condition);
                        default -> table.set(key, condition, attributes(random));
                    });
        }
        return List.copyOf(changes.values());
    }

    private static Condition condition(SplittableRandom random) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        return switch (random.nextInt(4)) {
            case 0 -> Condition.equal(name, value(random, name));
            case 1 -> {
                AttributeValue one = value(random, name);
                yield Condition.oneOf(name, one, value(random, name));
            }
            default -> Condition.absent();
        };
    }

    private static Map<String, AttributeValue> key(SplittableRandom random) {
        return Row.primaryKey(
                PARTITIONS.get(random.nextInt(PARTITIONS.size())), SORTS.get(random.nextInt(SORTS.size())));
    }

    private static Map<String, AttributeValue> attributes(SplittableRandom random) {
        Map<String, AttributeValue> attributes = new HashMap<>();
        List<String> names = new ArrayList<>(NAMES);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            String name = names.remove(random.nextInt(names.size()));
            attributes.put(name, value(random, name));
        }
        if (random.nextInt(3) == 0) {
            attributes.put(
                    "a_m",
                    AttributeValue.fromM(Map.of(
                            "x", Row.number(random.nextLong()), "l", AttributeValue.fromL(List.of(Row.string(""))))));
        }
        return attributes;
    }

    /** Few, so that conditions meet them. */
    private static AttributeValue value(SplittableRandom random, String name) {
        int n = random.nextInt(2);
        return switch (name) {
            case "a_n" -> Row.number(n == 0 ? Long.MIN_VALUE : 10);
            case "a_s" -> Row.string(n == 0 ? "" : "\ud83d\ude00 \n");
            case "a_b" -> Row.binary(n == 0 ? new byte[0] : new byte[] {-1, 0, 1});
            default -> Row.flag(n == 0);
        };
    }

    private static QueryRequest query(SplittableRandom random, String table) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":partition", Row.string(PARTITIONS.get(random.nextInt(PARTITIONS.size()))));
        QueryRequest.Builder request =
                QueryRequest.builder().tableName(table).consistentRead(true).scanIndexForward(random.nextBoolean());
        String keys = "pk = :partition";
        if (random.nextBoolean()) {
            keys += random.nextBoolean() ? " AND sk < :sort" : " AND sk <= :sort";
            values.put(":sort", SORTS.get(random.nextInt(SORTS.size())));
        }
        if (random.nextInt(3) == 0) {
            request.filterExpression("a_n = :filter");
            values.put(":filter", value(random, "a_n"));
        }
        if (random.nextInt(3) == 0) {
            request.limit(random.nextInt(1, 4));
        }
        return request.keyConditionExpression(keys)
                .expressionAttributeValues(values)
                .build();
    }
}
