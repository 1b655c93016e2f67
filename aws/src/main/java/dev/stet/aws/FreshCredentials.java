package dev.stet.aws;

import java.util.Set;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;

/**
 * Credentials that are looked up anew when the service calls them expired. The SDK resolves them once a call, before its own retries, and some of its
 * providers keep what they found; so the provider itself is replaced and the whole call repeated. Thread-safe.
 */
public final class FreshCredentials implements AwsCredentialsProvider {
    /** How often one call is repeated with credentials looked up anew. */
    public static final int MAX_RENEWALS = 3;

    private static final Set<String> EXPIRED =
            Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired");
    private static final long PAUSE_MILLIS = 250;

    private record Found(int generation, AwsCredentialsProvider provider) {}

    private final Supplier<? extends AwsCredentialsProvider> lookup;
    private volatile Found current;

    public FreshCredentials(Supplier<? extends AwsCredentialsProvider> lookup) {
        this.lookup = lookup;
        this.current = new Found(0, lookup.get());
    }

    /** The SDK's default chain: system properties, environment, profile, container, instance; the first that has any. */
    public static FreshCredentials fromDefaultChain() {
        return new FreshCredentials(() -> DefaultCredentialsProvider.builder().build());
    }

    @Override
    public AwsCredentials resolveCredentials() {
        return current.provider().resolveCredentials();
    }

    /** Makes the call; when it fails for expired credentials, looks them up anew and repeats it, {@link #MAX_RENEWALS} times at most. */
    public <T> T call(Supplier<T> request) {
        for (int renewals = 0; ; renewals++) {
            int used = current.generation();
            try {
                return request.get();
            } catch (AwsServiceException e) {
                if (!expired(e) || renewals == MAX_RENEWALS) {
                    throw e;
                }
                pause(renewals * PAUSE_MILLIS);
                renew(used);
            }
        }
    }

    public static boolean expired(AwsServiceException e) {
        String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
        // The answer to a HEAD has no body and so no code; a bad request to look is all but impossible for another
        // reason.
        boolean silent = code == null || code.isEmpty();
        return silent ? e.statusCode() == 400 : EXPIRED.contains(code);
    }

    private synchronized void renew(int used) {
        // Of many calls that failed together the first renews for all.
        if (current.generation() == used) {
            current = new Found(used + 1, lookup.get());
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AbortedException.create("interrupted while waiting for new credentials", e);
        }
    }
}
