package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.config.RealPaths;

/** Names of locations that stay the same whatever way they are reached, and where staging lies. */
public final class Places {
    private static final String STAGING = "_stet/";

    private Places() {}

    public static String name(Location location) {
        return switch (location) {
            case Location.Directory d -> RealPaths.of(d.path().toAbsolutePath()).toString();
            case Location.S3 s -> s.describe();
        };
    }

    /**
     * Where bundles wait by default (design §6): beside the sink's prefix, in its bucket.
     *
     * @param otherwise what to do where that is not possible, for the message
     */
    public static Location.S3 stagingBeside(Location.S3 sink, String pipelineId, String otherwise)
            throws ConfigException {
        if (sink.prefix().isEmpty() || sink.prefix().equals("/")) {
            throw new ConfigException("the sink is a whole bucket, so staging would lie inside it: " + sink.describe()
                    + "; " + otherwise);
        }
        return new Location.S3(sink.bucket(), STAGING + pipelineId + "/", sink.region(), sink.endpointUrl(), false);
    }
}
