package dev.stet.run;

import dev.stet.config.Location;
import dev.stet.config.RealPaths;

/** Names of locations that stay the same whatever way they are reached. */
final class Places {
    private Places() {}

    static String name(Location location) {
        return switch (location) {
            case Location.Directory d -> RealPaths.of(d.path().toAbsolutePath()).toString();
            case Location.S3 s -> s.describe();
        };
    }
}
