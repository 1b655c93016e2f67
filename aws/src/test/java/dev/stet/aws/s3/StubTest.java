package dev.stet.aws.s3;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.FreshCredentials;
import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectRead;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.SourceStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** What tests against the stub share. */
abstract class StubTest {
    protected static final String BUCKET = "devices";

    protected final StubS3 stub = new StubS3();
    /** How often credentials were looked up; each gives the next key id: KEY1, KEY2 … */
    protected final AtomicInteger lookups = new AtomicInteger();

    private final AwsAccess access = new AwsAccess(new FreshCredentials(() ->
            StaticCredentialsProvider.create(AwsBasicCredentials.create("KEY" + lookups.incrementAndGet(), "secret"))));
    protected final S3Clients clients = new S3Clients(access);

    @AfterEach
    void stop() {
        clients.close();
        access.close();
        stub.close();
    }

    protected final Location.S3 location(String prefix, boolean requesterPays) {
        return new Location.S3(
                BUCKET,
                prefix,
                Optional.of("us-east-1"),
                Optional.of(stub.endpoint().toString()),
                requesterPays);
    }

    protected final S3Source source(String prefix) throws ConfigException {
        return clients.source(location(prefix, false));
    }

    protected final S3Store store(StoreOptions options) throws ConfigException {
        return clients.store(location("lake", false), options);
    }

    protected static List<ListEntry> list(SourceStore source, KeyRange range) throws IOException {
        List<ListEntry> entries = new ArrayList<>();
        try (ObjectListing listing = source.list(range)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                entries.add(e.get());
            }
        }
        return entries;
    }

    protected static List<String> keys(SourceStore source) throws IOException {
        return list(source, KeyRange.ALL).stream().map(ListEntry::key).toList();
    }

    protected static ObjectInfo only(SourceStore source) throws IOException {
        return (ObjectInfo) list(source, KeyRange.ALL).getFirst();
    }

    protected static byte[] read(SourceStore source, ObjectInfo object) throws IOException {
        try (ObjectRead read = source.open(object)) {
            byte[] bytes = read.body().readAllBytes();
            var identity = read.finish();
            assert identity.key().equals(object.key());
            return bytes;
        }
    }

    protected static ObjectWriter.Outcome create(ObjectStore store, String key, byte[] content) throws IOException {
        try (ObjectWriter writer = store.create(key)) {
            writer.write(content, 0, content.length);
            return writer.complete(crc(content));
        }
    }

    protected static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    protected static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
