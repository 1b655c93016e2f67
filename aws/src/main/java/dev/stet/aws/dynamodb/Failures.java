package dev.stet.aws.dynamodb;

import dev.stet.ledger.LedgerException;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Locale;
import java.util.Set;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** What a call that failed means: sentences that name the table and what would help. */
record Failures(String table) {
    private static final Set<String> THROTTLED = Set.of(
            "ProvisionedThroughputExceededException",
            "ThrottlingException",
            "Throttling",
            "RequestLimitExceeded",
            "TransactionInProgressException");

    /** A read changes nothing, so nothing is unknown. */
    IOException ofRead(SdkException e) {
        return e instanceof AbortedException ? interrupted(e) : new LedgerException(sentence(e), e);
    }

    /**
     * Unknown when no answer came, or one of a server that failed in the middle; also when the last of several tries was throttled, since an earlier one may
     * have been applied.
     */
    IOException ofWrite(SdkException e) {
        if (e instanceof AbortedException) {
            return interrupted(e);
        }
        boolean unknown = e instanceof DynamoDbException answer
                ? answer.statusCode() >= 500 || THROTTLED.contains(code(answer))
                : !aboutCredentials(e);
        return unknown ? new UnknownOutcomeException(sentence(e), e) : new LedgerException(sentence(e), e);
    }

    private static IOException interrupted(SdkException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("interrupted").initCause(e);
    }

    private String sentence(SdkException e) {
        String place = "table " + table + ": ";
        if (!(e instanceof DynamoDbException answer)) {
            return aboutCredentials(e)
                    ? place
                            + "no AWS credentials found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
                    : place + "no answer from DynamoDB (" + firstLine(e) + ")";
        }
        return place
                + switch (code(answer)) {
                    case "ResourceNotFoundException" ->
                        "there is no such DynamoDB table; make it with: stet ledger create " + table;
                    case "AccessDeniedException", "AccessDenied" -> "access denied (" + text(answer) + ")";
                    case "ExpiredTokenException", "ExpiredToken" ->
                        "the AWS credentials have expired, and looking them up again gave no newer ones";
                    case "UnrecognizedClientException",
                            "InvalidClientTokenId",
                            "InvalidSignatureException",
                            "IncompleteSignatureException",
                            "MissingAuthenticationTokenException" ->
                        "the AWS credentials are not accepted, or the clock of this machine is wrong (" + text(answer)
                                + ")";
                    default ->
                        THROTTLED.contains(code(answer))
                                ? "DynamoDB is too busy (" + text(answer) + ")"
                                : "DynamoDB answered " + code(answer) + " (" + text(answer) + ")";
                };
    }

    private static boolean aboutCredentials(SdkException e) {
        return !(e instanceof DynamoDbException)
                && firstLine(e).toLowerCase(Locale.ROOT).contains("credentials");
    }

    private static String code(DynamoDbException e) {
        String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
        return code == null || code.isEmpty() ? "status " + e.statusCode() : code;
    }

    private static String text(DynamoDbException e) {
        String text = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorMessage();
        return text == null || text.isBlank() ? "status " + e.statusCode() : text.strip();
    }

    private static String firstLine(SdkException e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null
                ? "the connection failed"
                : message.lines().findFirst().orElse("the connection failed");
    }
}
