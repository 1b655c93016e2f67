package dev.stet.aws;

import java.io.Closeable;
import java.time.Duration;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** What all clients of a process share: connections, credentials, and how calls are repeated. Thread-safe. */
public final class AwsAccess implements Closeable {
    /** A thousand bodies can be read at once; a connection costs some 30 KiB of heap (docs/decisions/s3.md). */
    private static final int MAX_CONNECTIONS = 1_100;

    private static final int MAX_ATTEMPTS = 8;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(20);
    private static final Set<String> CONFLICTS = Set.of("ConditionalRequestConflict", "OperationAborted");

    private final SdkHttpClient http;
    private final FreshCredentials credentials;

    public AwsAccess(FreshCredentials credentials) {
        this.credentials = credentials;
        this.http = Apache5HttpClient.builder()
                .maxConnections(MAX_CONNECTIONS)
                .connectionTimeout(Duration.ofSeconds(10))
                .socketTimeout(Duration.ofSeconds(60))
                // Waiting for a connection is no fault of the service: more readers than connections take turns.
                .connectionAcquisitionTimeout(Duration.ofMinutes(30))
                // Below what servers grant an idle connection, so that few calls meet one that was just closed.
                .connectionMaxIdleTime(Duration.ofSeconds(10))
                .tcpKeepAlive(true)
                .build();
    }

    public static AwsAccess withDefaults() {
        return new AwsAccess(FreshCredentials.fromDefaultChain());
    }

    public SdkHttpClient http() {
        return http;
    }

    public FreshCredentials credentials() {
        return credentials;
    }

    /**
     * Exponential pauses with full jitter, longer for throttling. No circuit breaker: it would end a run for one burst of {@code SlowDown} over many
     * threads. Not the adaptive mode: its one rate for the whole client would slow every prefix for the one that is throttled.
     */
    public static StandardRetryStrategy retries() {
        return AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(AwsSettings.maxAttempts(MAX_ATTEMPTS))
                .circuitBreakerEnabled(false)
                .backoffStrategy(BackoffStrategy.exponentialDelay(Duration.ofMillis(100), LONGEST_PAUSE))
                .throttlingBackoffStrategy(BackoffStrategy.exponentialDelay(Duration.ofMillis(400), LONGEST_PAUSE))
                .retryOnException(AwsAccess::conflict)
                .build();
    }

    /** Two conditional writes met; neither is refused yet, and repeating finds out. */
    private static boolean conflict(Throwable e) {
        return e instanceof AwsServiceException service
                && service.awsErrorDetails() != null
                && service.awsErrorDetails().errorCode() != null
                && CONFLICTS.contains(service.awsErrorDetails().errorCode());
    }

    @Override
    public void close() {
        http.close();
    }
}
