package dev.stet.functions;

import dev.stet.asl.ObjectFiles;
import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The objects that maps read and write, in S3. */
record S3Files(S3Client s3) implements ObjectFiles {
    @Override
    public InputStream read(String bucket, String key) throws IOException {
        try {
            return s3.getObject(r -> r.bucket(bucket).key(key));
        } catch (SdkException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void write(String bucket, String key, byte[] bytes) throws IOException {
        try {
            var _ = s3.putObject(r -> r.bucket(bucket).key(key), RequestBody.fromBytes(bytes));
        } catch (SdkException e) {
            throw new IOException(e);
        }
    }
}
