package dev.stet.aws.s3;

import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.run.Stores;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceStore;
import dev.stet.store.StoreException;
import java.util.Optional;
import java.util.function.Consumer;

/** Sends what a configuration leaves to the environment to one server, as {@code AWS_ENDPOINT_URL} would. */
record AtServer(S3Server server, S3Stores stores) implements Stores {
    private Location.S3 at(Location.S3 location) {
        Location.S3 here = server.location(location.bucket(), location.prefix());
        return new Location.S3(
                here.bucket(), here.prefix(), here.region(), here.endpointUrl(), location.requesterPays());
    }

    @Override
    public void preflight(Remote places, Consumer<String> notes) throws ConfigException, StoreException {
        Optional<Location.S3> source = places.source().map(this::at);
        stores.preflight(
                new Remote(source, places.sink().map(this::at), places.staging().map(this::at)), notes);
    }

    @Override
    public SourceStore source(Location.S3 location) throws ConfigException {
        return stores.source(at(location));
    }

    @Override
    public ObjectStore store(Location.S3 location) throws ConfigException {
        return stores.store(at(location));
    }
}
