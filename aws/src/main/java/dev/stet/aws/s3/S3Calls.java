package dev.stet.aws.s3;

import dev.stet.aws.FreshCredentials;
import dev.stet.store.StoreException;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The calls on one bucket: each goes through here, so that expired credentials are renewed everywhere, and failures become sentences that name the place
 * and what would help. Thread-safe.
 */
final class S3Calls {
    private static final int NOT_IMPLEMENTED = 501;

    private final S3Client client;
    private final FreshCredentials credentials;
    private final String bucket;
    private final String endpoint;
    private final boolean mayWantPayer;

    /**
     * @param endpoint as messages name it
     * @param mayWantPayer whether a denial may be for want of the requester-pays option, so that messages name it
     */
    S3Calls(S3Client client, FreshCredentials credentials, String bucket, String endpoint, boolean mayWantPayer) {
        this.client = client;
        this.credentials = credentials;
        this.bucket = bucket;
        this.endpoint = endpoint;
        this.mayWantPayer = mayWantPayer;
    }

    String bucket() {
        return bucket;
    }

    String describe(String key) {
        return "s3://" + bucket + "/" + key;
    }

    /** Makes a call; what the SDK throws comes through, for callers who know what to make of some of it. */
    <T> T run(Function<S3Client, T> request) {
        return credentials.call(() -> request.apply(client));
    }

    /** Makes a call none of whose failures is expected. */
    <T> T run(Action action, String key, Function<S3Client, T> request) throws IOException {
        try {
            return run(request);
        } catch (SdkException e) {
            throw failure(e, action, key);
        }
    }

    /** Aborts one upload; that it is gone already is as good. */
    void abortUpload(String key, String uploadId) throws IOException {
        try {
            var aborted = run(
                    s3 -> s3.abortMultipartUpload(r -> r.bucket(bucket).key(key).uploadId(uploadId)));
            assert aborted != null;
        } catch (S3Exception e) {
            if (!code(e).equals("NoSuchUpload") && !notFound(e)) {
                throw failure(e, Action.ABORT, key);
            }
        } catch (SdkException e) {
            throw failure(e, Action.ABORT, key);
        }
    }

    /** S3's own name of the fault; empty where the answer had no body (HEAD). */
    static String code(S3Exception e) {
        return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
                ? ""
                : e.awsErrorDetails().errorCode();
    }

    /** S3's own words. */
    static String text(S3Exception e) {
        String text = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorMessage();
        return text == null || text.isBlank() ? "status " + e.statusCode() : text.strip();
    }

    static boolean notFound(S3Exception e) {
        String code = code(e);
        return code.isEmpty() ? e.statusCode() == 404 : code.equals("NoSuchKey") || code.equals("NotFound");
    }

    static boolean denied(S3Exception e) {
        String code = code(e);
        return e.statusCode() == 403
                && (code.isEmpty()
                        || Set.of("AccessDenied", "Forbidden", "AllAccessDisabled")
                                .contains(code));
    }

    static boolean preconditionFailed(S3Exception e) {
        return e.statusCode() == 412;
    }

    /**
     * What a failed call means for the store's users. A change that may have been applied, by a request whose answer was lost or by a server that failed
     * in the middle, is an {@link UnknownOutcomeException}.
     */
    IOException failure(SdkException e, Action action, String key) {
        String place = describe(key);
        if (e instanceof AbortedException) {
            Thread.currentThread().interrupt();
            return (IOException) new InterruptedIOException("interrupted: " + place).initCause(e);
        }
        if (e instanceof S3Exception s3) {
            String text = refusal(s3, action, key);
            return action.changes() && s3.statusCode() >= 500 && s3.statusCode() != NOT_IMPLEMENTED
                    ? new UnknownOutcomeException(text, e)
                    : new StoreException(text, e);
        }
        Optional<IOException> cause = lostIn(e);
        if (cause.isPresent()) {
            String text = place + ": no answer from " + endpoint + " (" + reason(cause.get()) + ")";
            return action.changes() ? new UnknownOutcomeException(text, e) : new StoreException(text, e);
        }
        if (e instanceof ApiCallTimeoutException || e instanceof ApiCallAttemptTimeoutException) {
            String text = place + ": no answer from " + endpoint + " in time";
            return action.changes() ? new UnknownOutcomeException(text, e) : new StoreException(text, e);
        }
        if (messageOf(e).toLowerCase(Locale.ROOT).contains("credentials")) {
            return new StoreException(
                    place
                            + ": no AWS credentials found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
                    e);
        }
        return new StoreException(place + ": " + messageOf(e), e);
    }

    private String refusal(S3Exception e, Action action, String key) {
        String place = describe(key);
        if (denied(e)) {
            boolean reads = action == Action.LIST || action == Action.READ;
            return place + ": access denied, which needs " + action.on(bucket, key) + " (" + text(e) + ")"
                    + (reads ? payerHint() : "");
        }
        return switch (code(e)) {
            case "NoSuchBucket" -> "s3://" + bucket + ": there is no such bucket";
            case "RequestTimeTooSkewed" -> place + ": the clock of this machine is wrong; set it (" + text(e) + ")";
            case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired" ->
                place + ": the AWS credentials have expired, and looking them up again gave no newer ones (" + text(e)
                        + ")";
            case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "AuthFailure" ->
                place + ": the AWS credentials are not accepted (" + text(e) + ")";
            case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException" ->
                place + ": the bucket is in another region; set region (" + text(e) + ")";
            case "" -> place + ": " + endpoint + " answered with status " + e.statusCode();
            default -> place + ": " + endpoint + " answered " + code(e) + " (" + text(e) + ")";
        };
    }

    /** For whoever was denied reading: a requester-pays bucket answers like any that forbids it. */
    String payerHint() {
        return mayWantPayer
                ? "; if it is a requester-pays bucket, --requester-pays (requester_pays: true) is needed"
                : "";
    }

    /** The input/output fault under an SDK exception, if that is what it was. */
    private static Optional<IOException> lostIn(Throwable e) {
        Optional<IOException> found = Optional.empty();
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof IOException io) {
                found = Optional.of(io);
            }
        }
        return found;
    }

    private static String reason(IOException e) {
        return switch (e) {
            case UnknownHostException _ -> "the host is not known";
            case SocketTimeoutException _ -> "timed out";
            case ConnectException _ -> "connection refused";
            default -> messageOf(e);
        };
    }

    private static String messageOf(Throwable e) {
        String message = e.getMessage();
        return message == null
                ? "the connection failed"
                : message.lines().findFirst().orElse("the connection failed");
    }
}
