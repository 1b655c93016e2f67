package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceStore;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens stores that are not directories. */
public interface Stores {
    /** Knows directories alone. */
    Stores NONE = new Stores() {
        @Override
        public SourceStore source(Location.S3 location) throws ConfigException {
            throw unknown(location);
        }

        @Override
        public ObjectStore store(Location.S3 location) throws ConfigException {
            throw unknown(location);
        }

        @Override
        public void preflight(Remote places, Consumer<String> notes) {}

        private ConfigException unknown(Location.S3 location) {
            return new ConfigException(
                    "this build of stet copies between directories only, not " + location.describe());
        }
    };

    /** The places of a run that are not directories. */
    record Remote(Optional<Location.S3> source, Optional<Location.S3> sink, Optional<Location.S3> staging) {}

    /** Looks, before a byte is copied, whether the places can be used. @throws StoreException naming each missing permission or harmful rule */
    void preflight(Remote places, Consumer<String> notes) throws ConfigException, IOException;

    SourceStore source(Location.S3 location) throws ConfigException, IOException;

    ObjectStore store(Location.S3 location) throws ConfigException, IOException;
}
