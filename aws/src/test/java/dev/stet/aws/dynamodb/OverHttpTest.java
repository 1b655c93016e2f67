package dev.stet.aws.dynamodb;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.LedgerUnderTest.copy;
import static dev.stet.ledger.LedgerUnderTest.entries;
import static dev.stet.ledger.LedgerUnderTest.pages;
import static dev.stet.ledger.LedgerUnderTest.split;
import static dev.stet.ledger.LedgerUnderTest.uploading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.FaultProxy;
import dev.stet.aws.MiniStack;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Compaction;
import dev.stet.ledger.LedgerException;
import dev.stet.ledger.ManualClock;
import dev.stet.ledger.PipelineRow;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** What shows itself only with real requests: answers lost on the way, which the SDK sends again by itself, and the table's own life. */
class OverHttpTest {
    private final String table = "http-" + UUID.randomUUID();
    private final AwsAccess access = new AwsAccess(Ledgers.credentials());

    @BeforeEach
    void createTable() throws Exception {
        try (DynamoDb direct = dynamoDb(MiniStack.shared().endpoint())) {
            direct.admin().create(table);
        }
    }

    @AfterEach
    void close() {
        access.close();
    }

    private DynamoDb dynamoDb(URI endpoint) throws Exception {
        return new DynamoDb(access, Optional.of("eu-west-1"), Optional.of(endpoint.toString()));
    }

    /** The first answer to every write is lost after it was applied; the SDK meets its own success, and no caller may hear of a refusal. */
    @Test
    void everyWriteMeetsItsOwnSuccess() throws Exception {
        AtomicInteger lost = new AtomicInteger();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (FaultProxy proxy = new FaultProxy(MiniStack.shared().endpoint());
                DynamoDb service = dynamoDb(proxy.endpoint());
                DynamoDbLedger ledger = service.ledger(table, "pipeline", "source", new ManualClock())) {
            proxy.meets(hop -> {
                FaultProxy.Answer answer = hop.fetch();
                // The SDK repeats a request under the same invocation id.
                if (hop.is("TransactWriteItems") && seen.add(hop.header("amz-sdk-invocation-id"))) {
                    lost.incrementAndGet();
                    hop.cut();
                } else {
                    hop.relay(answer);
                }
            });
            assertThat(ledger.planExtents(List.of("t"))).isEqualTo(APPLIED);
            assertThat(ledger.begin(uploading("c"))).isEqualTo(APPLIED);
            assertThat(ledger.renewLease("c", 5)).isEqualTo(APPLIED);
            assertThat(copy(ledger, "c", "a", "m", "z")).isEqualTo(APPLIED);
            assertThat(split(ledger, "g")).isEqualTo(APPLIED);
            assertThat(ledger.begin(uploading("d"))).isEqualTo(APPLIED);
            assertThat(ledger.abandon("d")).isEqualTo(APPLIED);
            assertThat(ledger.openCompaction(1, "h")).isEqualTo(APPLIED);
            assertThat(ledger.retire("c", 1)).isEqualTo(APPLIED);
            assertThat(ledger.finishCompaction(1)).isEqualTo(APPLIED);
            assertThat(ledger.openCompaction(2, "h2")).isEqualTo(APPLIED);
            assertThat(ledger.savePipeline(new PipelineRow("id", "s", "t", "r"), 0))
                    .isEqualTo(APPLIED);
            ledger.markSwept("d");
            ledger.forget("d");

            assertThat(lost.get()).isGreaterThanOrEqualTo(12);
            assertThat(pages(ledger)).hasSize(3);
            assertThat(ledger.pageOf("a").version()).isEqualTo(2);
            assertThat(ledger.pageOf("z").entries()).isEqualTo(entries("z"));
            assertThat(ledger.find("c").orElseThrow().state()).isEqualTo(CommitState.RETIRED);
            assertThat(ledger.find("d")).isEmpty();
            assertThat(ledger.latestCompaction()).contains(new Compaction(2, false, "h2"));
            assertThat(ledger.pipeline().orElseThrow().revision()).isEqualTo(1);
        }
    }

    @Test
    void aTableIsMadeOnce() throws Exception {
        try (DynamoDb service = dynamoDb(MiniStack.shared().endpoint())) {
            DynamoDbLedger ledger = service.ledger(table, "pipeline", "source", new ManualClock());
            assertThat(ledger.begin(uploading("c"))).isEqualTo(APPLIED);
            service.admin().create(table);
            assertThat(ledger.find("c")).isPresent();
        }
    }

    @Test
    void aTableThatIsNoLedgerIsRefused() throws Exception {
        String other = "other-" + UUID.randomUUID();
        try (DynamoDb service = dynamoDb(MiniStack.shared().endpoint());
                DynamoDbClient client = DynamoDbClient.builder()
                        .httpClient(access.http())
                        .credentialsProvider(access.credentials())
                        .region(Region.EU_WEST_1)
                        .endpointOverride(MiniStack.shared().endpoint())
                        .build()) {
            var _ = client.createTable(r -> r.tableName(other)
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName("id")
                            .attributeType(ScalarAttributeType.S)
                            .build())
                    .keySchema(KeySchemaElement.builder()
                            .attributeName("id")
                            .keyType(KeyType.HASH)
                            .build())
                    .billingMode(BillingMode.PAY_PER_REQUEST));
            assertThatExceptionOfType(LedgerException.class)
                    .isThrownBy(() -> service.admin().create(other))
                    .withMessageContaining(other)
                    .withMessageContaining("no ledger");
        }
    }

    @Test
    void aTableThatIsNotThereIsNamed() throws Exception {
        try (DynamoDb service = dynamoDb(MiniStack.shared().endpoint());
                DynamoDbLedger ledger = service.ledger("nowhere", "pipeline", "source", new ManualClock())) {
            assertThatExceptionOfType(LedgerException.class)
                    .isThrownBy(() -> ledger.pageOf("k"))
                    .withMessageContaining("nowhere")
                    .withMessageContaining("stet ledger create nowhere");
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> ledger.begin(uploading("c")));
        }
    }
}
