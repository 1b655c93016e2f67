package dev.stet.config;

import java.nio.file.Path;
import java.util.Optional;

/** Where a source or sink lies. */
public sealed interface Location {

    /** A directory, absolute. */
    record Directory(Path path) implements Location {
        @Override
        public String describe() {
            return path.toString();
        }
    }

    /**
     * A bucket and a string prefix (empty: the whole bucket), with what the configuration says of reaching it. Empty options leave it to the SDK's own
     * settings.
     */
    record S3(
            String bucket, String prefix, Optional<String> region, Optional<String> endpointUrl, boolean requesterPays)
            implements Location {
        @Override
        public String describe() {
            return "s3://" + bucket + "/" + prefix;
        }
    }

    /** As users write it; also what the pipeline id is made from. */
    String describe();
}
