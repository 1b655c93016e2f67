package dev.stet.aws.s3;

import dev.stet.aws.MiniStack;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.Optional;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** The servers that tests of this JVM share. Both listen on 127.0.0.1 only. */
public final class Servers {
    private Servers() {}

    public static S3Server miniStack() {
        MiniStack.shared();
        return Mini.SERVER;
    }

    static URI miniStackEndpoint() {
        return MiniStack.shared().endpoint();
    }

    public static S3Server s3Proxy() {
        return Embedded.SERVER;
    }

    /** One that checks no signature, so that a proxy can stand before it. */
    static S3Server unsignedS3Proxy() {
        return Unsigned.SERVER;
    }

    private static final class Mini {
        static final S3Server SERVER = new S3Server(MiniStack.shared().endpoint(), "test", "test");
    }

    private static final class Embedded {
        static final S3Server SERVER = start(true);
    }

    private static final class Unsigned {
        static final S3Server SERVER = start(false);
    }

    private static S3Server start(boolean signed) {
        try {
            BlobStore blobs = new TransientNio2BlobStore();
            S3Proxy.Builder builder = S3Proxy.builder().blobStore(blobs).endpoint(URI.create("http://127.0.0.1:0"));
            S3Proxy proxy = (signed
                            ? builder.awsAuthentication(AuthenticationType.AWS_V4, "stet", "secret")
                            : builder.awsAuthentication(AuthenticationType.NONE, "", ""))
                    .build();
            proxy.start();
            return new S3Server(
                    URI.create("http://127.0.0.1:" + proxy.getPort()),
                    "stet",
                    "secret",
                    Optional.of((bucket, key, content) -> {
                        var put = blobs.putBlob(
                                PutObjectRequest.builder()
                                        .bucket(bucket)
                                        .key(key)
                                        .contentLength((long) content.length)
                                        .build(),
                                new ByteArrayInputStream(content));
                        assert put != null;
                    }));
        } catch (Exception e) {
            throw new IllegalStateException("S3Proxy does not start", e);
        }
    }
}
