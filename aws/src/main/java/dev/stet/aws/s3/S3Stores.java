package dev.stet.aws.s3;

import dev.stet.aws.AwsAccess;
import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.run.Stores;
import java.io.Closeable;
import java.util.Optional;

/** S3 for the engine's runs. Nothing of the SDK is loaded before the first location in S3 is opened. Thread-safe. */
public final class S3Stores implements Stores, Closeable {
    private record Opened(AwsAccess access, S3Clients clients) {}

    private final StoreOptions options;
    private Optional<Opened> opened = Optional.empty();

    public S3Stores(StoreOptions options) {
        this.options = options;
    }

    @Override
    public S3Source source(Location.S3 location) throws ConfigException {
        return opened().clients().source(location);
    }

    @Override
    public S3Store store(Location.S3 location) throws ConfigException {
        return opened().clients().store(location, options);
    }

    public S3Preflight preflight() {
        return new S3Preflight(opened().clients());
    }

    private synchronized Opened opened() {
        if (opened.isEmpty()) {
            AwsAccess access = AwsAccess.withDefaults();
            opened = Optional.of(new Opened(access, new S3Clients(access)));
        }
        return opened.get();
    }

    @Override
    public synchronized void close() {
        opened.ifPresent(o -> {
            o.clients().close();
            o.access().close();
        });
        opened = Optional.empty();
    }
}
