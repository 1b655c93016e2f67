package dev.stet.aws.s3;

import dev.stet.config.ConfigException;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectStoreContract;
import org.junit.jupiter.api.BeforeEach;

/** The contract of stores on an S3 server. */
abstract class S3StoreContract extends ObjectStoreContract {
    private String bucket;
    private S3Store store;
    private S3Store another;

    protected abstract S3Server server();

    protected abstract StoreOptions options();

    @BeforeEach
    void openBucket() throws ConfigException {
        bucket = server().newBucket();
        store = open();
        // What is no upload from its first moment can only be stopped in its own process.
        another = options().alwaysUpload() ? open() : store;
    }

    private S3Store open() throws ConfigException {
        return server().clients().store(server().location(bucket, "lake/landing"), options());
    }

    protected final String bucket() {
        return bucket;
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected ObjectStore another() {
        return another;
    }
}
