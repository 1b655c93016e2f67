package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceStore;
import java.io.IOException;

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

        private ConfigException unknown(Location.S3 location) {
            return new ConfigException(
                    "this build of stet copies between directories only, not " + location.describe());
        }
    };

    SourceStore source(Location.S3 location) throws ConfigException, IOException;

    ObjectStore store(Location.S3 location) throws ConfigException, IOException;
}
