package dev.stet.aws.s3;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.FreshCredentials;
import dev.stet.config.Location;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectRead;
import dev.stet.store.ObjectWriter;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.CRC32C;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The process of {@link S3BigObjectTest}: copies one object through both ports. */
final class S3BigObjectCopy {
    private S3BigObjectCopy() {}

    public static void main(String[] args) throws Exception {
        StaticCredentialsProvider keys = StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"));
        Location.S3 place = new Location.S3("b", "", Optional.of("us-east-1"), Optional.of(args[0]), false);
        ObjectInfo object = new ObjectInfo("in", Long.parseLong(args[1]), Optional.of("big"), "big", Instant.EPOCH);
        try (AwsAccess access = new AwsAccess(new FreshCredentials(() -> keys));
                S3Clients clients = new S3Clients(access);
                ObjectRead read = clients.source(place).open(object);
                ObjectWriter writer = clients.store(place, StoreOptions.DEFAULT).create("out")) {
            CRC32C crc = new CRC32C();
            byte[] buffer = new byte[1 << 16];
            InputStream in = read.body();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                crc.update(buffer, 0, n);
                writer.write(buffer, 0, n);
            }
            boolean whole = read.finish().size() == writer.length()
                    && writer.complete((int) crc.getValue()) == ObjectWriter.Outcome.CREATED;
            System.exit(whole ? 0 : 1);
        }
    }
}
