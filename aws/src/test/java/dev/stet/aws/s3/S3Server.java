package dev.stet.aws.s3;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.FreshCredentials;
import dev.stet.config.Location;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A server to test with, and its owner's hand to fill it. */
public final class S3Server {
    private static final AtomicInteger BUCKETS = new AtomicInteger();

    /** Fills a bucket. */
    @FunctionalInterface
    public interface Filler {
        void put(String bucket, String key, byte[] content);
    }

    private final URI endpoint;
    private final Filler filler;
    private final StaticCredentialsProvider credentials;
    private final AwsAccess access;
    private final S3Clients clients;
    private final S3Client owner;

    public S3Server(URI endpoint, String keyId, String secret) {
        this(endpoint, keyId, secret, Optional.empty());
    }

    /** @param shortcut fills faster than requests do */
    public S3Server(URI endpoint, String keyId, String secret, Optional<Filler> shortcut) {
        this.endpoint = endpoint;
        this.credentials = StaticCredentialsProvider.create(AwsBasicCredentials.create(keyId, secret));
        this.access = new AwsAccess(new FreshCredentials(() -> credentials));
        this.clients = new S3Clients(access);
        this.owner = S3Client.builder()
                .httpClient(access.http())
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .credentialsProvider(credentials)
                .build();
        this.filler = shortcut.orElse(this::send);
    }

    /** Opens locations on this server as a run does. */
    public S3Stores stores(StoreOptions options) {
        return new S3Stores(options, () -> new AwsAccess(new FreshCredentials(() -> credentials)));
    }

    /** All objects below a prefix, by what comes after it. */
    public Map<String, byte[]> objects(String bucket, String prefix) {
        Map<String, byte[]> found = new TreeMap<>();
        for (S3Object o : owner.listObjectsV2Paginator(r -> r.bucket(bucket).prefix(prefix))
                .contents()) {
            found.put(
                    o.key().substring(prefix.length()),
                    owner.getObjectAsBytes(r -> r.bucket(bucket).key(o.key())).asByteArray());
        }
        return found;
    }

    /** Keys of the uploads that nobody has completed or aborted, sorted. */
    public List<String> openUploads(String bucket) {
        return owner.listMultipartUploads(r -> r.bucket(bucket)).uploads().stream()
                .map(MultipartUpload::key)
                .sorted()
                .toList();
    }

    public URI endpoint() {
        return endpoint;
    }

    public S3Clients clients() {
        return clients;
    }

    public S3Client owner() {
        return owner;
    }

    public Location.S3 location(String bucket, String prefix) {
        return location(endpoint, bucket, prefix);
    }

    /** The same, reached through another address. @param by what stands before the server */
    public static Location.S3 location(URI by, String bucket, String prefix) {
        return new Location.S3(bucket, prefix, Optional.of("us-east-1"), Optional.of(by.toString()), false);
    }

    /** Makes a bucket that no other test uses. */
    public String newBucket() {
        String name = "stet-test-" + BUCKETS.incrementAndGet() + "-"
                + ProcessHandle.current().pid();
        var made = owner.createBucket(r -> r.bucket(name));
        assert made != null;
        return name;
    }

    public void put(String bucket, String key, byte[] content) {
        filler.put(bucket, key, content);
    }

    private void send(String bucket, String key, byte[] content) {
        var put = owner.putObject(r -> r.bucket(bucket).key(key), RequestBody.fromBytes(content));
        assert put != null;
    }

    public void remove(String bucket, String key) {
        var deleted = owner.deleteObject(r -> r.bucket(bucket).key(key));
        assert deleted != null;
    }
}
