package dev.stet.aws.s3;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.AwsSettings;
import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import java.io.Closeable;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Makes sources and stores in S3. Region, endpoint and credentials come from the configuration, else from the SDK's own settings (environment, profile). No
 * other service is asked: without a region a bucket is found by S3's own redirects. Thread-safe.
 */
public final class S3Clients implements Closeable {
    private record Key(Optional<Region> region, Optional<URI> endpoint, boolean requesterPays) {}

    private final AwsAccess access;
    private final Map<Key, S3Client> clients = new ConcurrentHashMap<>();

    /** @param access not closed with this */
    public S3Clients(AwsAccess access) {
        this.access = access;
    }

    public S3Source source(Location.S3 location) throws ConfigException {
        return new S3Source(sourceCalls(location), location.prefix());
    }

    public S3Store store(Location.S3 location, StoreOptions options) throws ConfigException {
        return new S3Store(calls(location), location.prefix(), options);
    }

    /** For reading a source: a denial names the requester-pays option where it is not set. */
    S3Calls sourceCalls(Location.S3 location) throws ConfigException {
        return calls(location, !location.requesterPays());
    }

    /** For a place of our own. */
    S3Calls calls(Location.S3 location) throws ConfigException {
        return calls(location, false);
    }

    private S3Calls calls(Location.S3 location, boolean mayWantPayer) throws ConfigException {
        Key key = key(location);
        S3Client client = clients.computeIfAbsent(key, this::client);
        String endpoint = key.endpoint().map(URI::toString).orElse("S3");
        return new S3Calls(client, access.credentials(), location.bucket(), endpoint, mayWantPayer);
    }

    /** Whether two locations are served by the same S3. */
    static boolean sameService(Location.S3 a, Location.S3 b) throws ConfigException {
        return key(a).endpoint().equals(key(b).endpoint());
    }

    private static Key key(Location.S3 location) throws ConfigException {
        return new Key(
                AwsSettings.region(location.region()),
                AwsSettings.endpoint("S3", location.endpointUrl()),
                location.requesterPays());
    }

    private S3Client client(Key key) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClient(access.http())
                .credentialsProvider(access.credentials())
                .region(key.region().orElse(Region.US_EAST_1))
                .crossRegionAccessEnabled(key.endpoint().isEmpty())
                .forcePathStyle(key.endpoint().map(S3Clients::wantsPathStyle).orElse(false))
                // Checksums are given with each request; others are not computed, so that servers which know none can
                // be used.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(c -> c.chunkedEncodingEnabled(false))
                .overrideConfiguration(o -> {
                    o.retryStrategy(AwsAccess.retries());
                    if (key.requesterPays()) {
                        o.addExecutionInterceptor(new RequesterPays());
                    }
                });
        key.endpoint().ifPresent(builder::endpointOverride);
        return builder.build();
    }

    /** Amazon resolves a host for each bucket; at other hosts that is rare. */
    static boolean wantsPathStyle(URI endpoint) {
        String host = endpoint.getHost();
        return !host.endsWith(".amazonaws.com") && !host.endsWith(".amazonaws.com.cn");
    }

    @Override
    public void close() {
        clients.values().forEach(S3Client::close);
    }

    /** Says on every call, whatever it is, that the requester pays. */
    private static final class RequesterPays implements ExecutionInterceptor {
        @Override
        public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
            return context.httpRequest().copy(r -> r.putHeader("x-amz-request-payer", "requester"));
        }
    }
}
