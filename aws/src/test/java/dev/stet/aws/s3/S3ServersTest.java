package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectRead;
import dev.stet.store.ObjectWriter;
import dev.stet.store.ObjectWriter.Outcome;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the contract suites do not ask of a server, on those that can show it. */
class S3ServersTest {
    private static final PartSizes FIVE_MIB = new PartSizes(5 << 20, 1_000, 5 << 20, 5 << 20);

    @Test
    void partsOfLegalSizeAreTaken() throws Exception {
        // S3Proxy refuses parts below 5 MiB, but for the last.
        roundTrip(Servers.s3Proxy(), FIVE_MIB);
        assertThatThrownBy(() -> roundTrip(Servers.s3Proxy(), new PartSizes(1 << 20, 1_000, 1 << 20, 1 << 20)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("EntityTooSmall");
    }

    @Test
    void partsInAFileAreTaken() throws Exception {
        roundTrip(Servers.miniStack(), new PartSizes(1 << 20, 1, 2 << 20, 3 << 20));
    }

    private static void roundTrip(S3Server server, PartSizes parts) throws Exception {
        S3Store store = server.clients()
                .store(server.location(server.newBucket(), "lake"), StoreOptions.DEFAULT.withParts(parts));
        byte[] content = new byte[11 << 20];
        new Random(7).nextBytes(content);
        CRC32C crc = new CRC32C();
        crc.update(content);
        try (ObjectWriter writer = store.create("k")) {
            writer.write(content, 0, content.length);
            assertThat(writer.complete((int) crc.getValue())).isEqualTo(Outcome.CREATED);
        }
        assertThat(store.readBack("k")).contains(new StoredObject(content.length, (int) crc.getValue()));
        try (InputStream in = store.read("k", 3 << 20, 6 << 20)) {
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 3 << 20, 9 << 20));
        }
    }

    @Test
    void theKeysOfCase28AreListedAndRead() throws Exception {
        S3Server server = Servers.miniStack();
        String bucket = server.newBucket();
        List<String> expected = new ArrayList<>();
        try (InputStream in = getClass().getResourceAsStream("/cases/inputs/open-28-odd-keys.objects.json")) {
            JsonNode objects = JsonMapper.shared().readTree(in).get("objects");
            for (JsonNode object : objects) {
                String key = object.get("key").asString();
                server.put(bucket, key, key.getBytes(UTF_8));
                expected.add(key.substring("in/".length()));
            }
        }
        S3Source source = server.clients().source(server.location(bucket, "in"));
        List<String> found = new ArrayList<>();
        try (ObjectListing listing = source.list(KeyRange.ALL)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                found.add(e.get().key());
                try (ObjectRead read = source.open((ObjectInfo) e.get())) {
                    assertThat(new String(read.body().readAllBytes(), UTF_8))
                            .isEqualTo("in/" + e.get().key());
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void currentVersionsOnly() throws Exception {
        S3Server server = Servers.miniStack();
        String bucket = server.newBucket();
        var versioned = server.owner()
                .putBucketVersioning(r -> r.bucket(bucket).versioningConfiguration(c -> c.status("Enabled")));
        assertThat(versioned).isNotNull();
        server.put(bucket, "v/1", new byte[7]);
        server.put(bucket, "v/1", new byte[2]);
        server.put(bucket, "v/2", new byte[4]);
        server.remove(bucket, "v/2");
        S3Source source = server.clients().source(server.location(bucket, "v/"));
        try (ObjectListing listing = source.list(KeyRange.ALL)) {
            ObjectInfo only = (ObjectInfo) listing.next().orElseThrow();
            assertThat(only.key()).isEqualTo("1");
            assertThat(only.size()).isEqualTo(2);
            assertThat(listing.next()).isEmpty();
            try (ObjectRead read = source.open(only)) {
                assertThat(read.body().readAllBytes()).hasSize(2);
                assertThat(read.finish().version()).isPresent();
            }
        }
    }

    @Test
    void thePreflightWorksAndLeavesNothing() throws Exception {
        for (S3Server server : List.of(Servers.miniStack(), Servers.s3Proxy())) {
            String bucket = server.newBucket();
            server.put(bucket, "raw/a", new byte[1]);
            S3Preflight preflight = new S3Preflight(server.clients());
            assertThat(preflight.source(server.location(bucket, "raw"))).isEmpty();
            assertThat(preflight.staging(server.location(bucket, "_stet/p"), StoreOptions.DEFAULT))
                    .isEmpty();
            assertThat(server.owner()
                            .listMultipartUploads(r -> r.bucket(bucket))
                            .uploads())
                    .isEmpty();
            assertThat(server.owner().listObjectsV2(r -> r.bucket(bucket)).contents())
                    .hasSize(1);
        }
    }
}
