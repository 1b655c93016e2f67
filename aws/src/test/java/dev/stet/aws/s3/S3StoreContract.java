package dev.stet.aws.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.config.ConfigException;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectStoreContract;
import dev.stet.store.ObjectWriter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    @Test
    void abortsWhatWasBegunBeforeATimeUnderTheKeysAskedForAndNothingElse() throws Exception {
        StoreOptions uploads = options().withUploadsOnly();
        S3Store staging = server().clients().store(server().location(bucket, "lake/landing"), uploads);
        S3Store beside = server().clients().store(server().location(bucket, "lake/other"), uploads);
        ObjectWriter old = staging.create("runs/a b/tasks");
        ObjectWriter spared = staging.create("bundles/b");
        ObjectWriter foreign = beside.create("runs/c");
        Instant hourAgo = Instant.now().minus(Duration.ofHours(1));
        Instant inAnHour = Instant.now().plus(Duration.ofHours(1));
        staging.abortUploads(key -> true, hourAgo);
        staging.abortUploads(key -> key.startsWith("runs/a b/"), inAnHour);
        assertThatThrownBy(() -> old.complete(0)).isInstanceOf(IOException.class);
        assertThat(spared.complete(0)).isEqualTo(ObjectWriter.Outcome.CREATED);
        assertThat(foreign.complete(0)).isEqualTo(ObjectWriter.Outcome.CREATED);
    }
}
