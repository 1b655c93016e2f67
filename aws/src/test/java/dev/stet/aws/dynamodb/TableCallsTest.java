package dev.stet.aws.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.aws.FreshCredentials;
import dev.stet.copy.Backoff;
import dev.stet.ledger.Ledger.Outcome;
import dev.stet.ledger.LedgerException;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** What each way in which a call can end means. */
class TableCallsTest {
    private static final Map<String, AttributeValue> KEY = Row.primaryKey("p", Row.sortKey("k"));
    private static final AttributeValue TOKEN = Row.string("token");
    private static final Optional<Proof> PROOF = Optional.of(new Proof(KEY, "begun_by", TOKEN));

    /** Answers with what was put in, one after the other; the last again and again. */
    private static final class Script implements DynamoDbClient {
        final Queue<Object> answers = new ArrayDeque<>();
        Object read = GetItemResponse.builder().build();
        int calls;

        Script(Object... answers) {
            this.answers.addAll(Arrays.asList(answers));
        }

        @Override
        public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
            calls++;
            return (TransactWriteItemsResponse) say(answers.size() > 1 ? answers.remove() : answers.element());
        }

        @Override
        public GetItemResponse getItem(GetItemRequest request) {
            return (GetItemResponse) say(read);
        }

        private static Object say(Object answer) {
            if (answer instanceof SdkException e) {
                throw e;
            }
            return answer;
        }

        @Override
        public String serviceName() {
            return "dynamodb";
        }

        @Override
        public void close() {}
    }

    private static final Object OK = TransactWriteItemsResponse.builder().build();

    private static SdkException cancelled(String... codes) {
        return TransactionCanceledException.builder()
                .cancellationReasons(Arrays.stream(codes)
                        .map(c -> CancellationReason.builder().code(c).build())
                        .toList())
                .awsErrorDetails(details("TransactionCanceledException"))
                .statusCode(400)
                .build();
    }

    private static SdkException answer(String code, int status) {
        return (SdkException) DynamoDbException.builder()
                .awsErrorDetails(details(code))
                .statusCode(status)
                .build();
    }

    private static AwsErrorDetails details(String code) {
        return AwsErrorDetails.builder()
                .errorCode(code)
                .errorMessage("words of the service")
                .build();
    }

    private static SdkException broken() {
        return SdkClientException.create("Unable to execute HTTP request", new IOException("Connection reset"));
    }

    private static Outcome write(Script script) throws IOException {
        TableCalls table = new TableCalls(script, Ledgers.credentials(), "ledger", Backoff.NONE);
        return table.write(List.of(table.set(KEY, Condition.absent(), Map.of("begun_by", TOKEN))), PROOF);
    }

    @Test
    void conflictsAndThrottlingPass() throws Exception {
        Script script = new Script(
                cancelled("TransactionConflict", "None"),
                cancelled("None", "ThrottlingError"),
                cancelled("ProvisionedThroughputExceeded", "TransactionConflict"),
                OK);
        assertThat(write(script)).isEqualTo(Outcome.APPLIED);
        assertThat(script.calls).isEqualTo(4);
    }

    @Test
    void aConflictThatDoesNotPassLeavesTheOutcomeOpen() {
        Script script = new Script(cancelled("TransactionConflict"));
        assertThatExceptionOfType(UnknownOutcomeException.class)
                .isThrownBy(() -> write(script))
                .withMessageContaining("too busy");
        assertThat(script.calls).isGreaterThan(10);
    }

    @Test
    void oneFailedConditionIsFinalWhateverElseThereIs() throws Exception {
        Script script = new Script(cancelled("TransactionConflict", "ConditionalCheckFailed", "ThrottlingError"));
        assertThat(write(script)).isEqualTo(Outcome.REFUSED);
        assertThat(script.calls).isEqualTo(1);
    }

    @Test
    void aReasonThatIsNeitherIsNoRefusal() {
        for (SdkException e : List.of(
                cancelled("ConditionalCheckFailed", "ValidationError"),
                cancelled("ItemCollectionSizeLimitExceeded"),
                cancelled(),
                answer("ValidationException", 400))) {
            assertThatExceptionOfType(LedgerException.class).isThrownBy(() -> write(new Script(e)));
        }
    }

    @Test
    void aRefusalThatThisWriteCausedItselfIsNone() throws Exception {
        Script script = new Script(cancelled("ConditionalCheckFailed"));
        script.read = GetItemResponse.builder().item(Map.of("begun_by", TOKEN)).build();
        assertThat(write(script)).isEqualTo(Outcome.APPLIED);
        script.read = GetItemResponse.builder()
                .item(Map.of("begun_by", Row.string("another's")))
                .build();
        assertThat(write(script)).isEqualTo(Outcome.REFUSED);
        script.read = broken();
        assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> write(script));
    }

    @Test
    void withoutAnAnswerNothingIsKnown() {
        for (SdkException e : List.of(
                broken(),
                answer("InternalServerError", 500),
                answer("ServiceUnavailable", 503),
                answer("ProvisionedThroughputExceededException", 400),
                answer("ThrottlingException", 400))) {
            assertThatExceptionOfType(UnknownOutcomeException.class)
                    .as("%s", e)
                    .isThrownBy(() -> write(new Script(e)))
                    .withMessageContaining("table ledger");
        }
    }

    @Test
    void ofAReadNothingIsUnknown() {
        Script script = new Script(OK);
        TableCalls table = new TableCalls(script, Ledgers.credentials(), "ledger", Backoff.NONE);
        for (SdkException e : List.of(broken(), answer("InternalServerError", 500))) {
            script.read = e;
            assertThatExceptionOfType(LedgerException.class).isThrownBy(() -> table.get(KEY));
        }
    }

    @Test
    void messagesSayWhatHelps() {
        says(answer("ResourceNotFoundException", 400), "stet ledger create ledger");
        says(answer("AccessDeniedException", 400), "access denied (words of the service)");
        says(answer("UnrecognizedClientException", 400), "not accepted");
        says(answer("InvalidSignatureException", 400), "clock");
        says(SdkClientException.create("Unable to load credentials from any of the providers"), "AWS_PROFILE");
    }

    private static void says(SdkException e, String text) {
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() -> write(new Script(e)))
                .withMessageContaining(text)
                .withMessageContaining("ledger");
    }

    @Test
    void expiredCredentialsAreLookedUpAnew() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        FreshCredentials credentials = new FreshCredentials(() -> {
            lookups.incrementAndGet();
            return AnonymousCredentialsProvider.create();
        });
        Script script = new Script(answer("ExpiredTokenException", 400), OK);
        TableCalls table = new TableCalls(script, credentials, "ledger", Backoff.NONE);
        assertThat(table.write(List.of(table.set(KEY, Condition.absent(), Map.of("begun_by", TOKEN))), PROOF))
                .isEqualTo(Outcome.APPLIED);
        assertThat(lookups).hasValue(2);
    }
}
