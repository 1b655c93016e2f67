package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The flags that say how S3 is reached. They win over the file, and mean nothing between directories. */
final class S3Flags {
    @Option(
            names = "--region",
            paramLabel = "REGION",
            description = "AWS region of s3:// locations; default: the SDK's own settings.")
    Optional<String> region = Optional.empty();

    @Option(
            names = "--endpoint-url",
            paramLabel = "URL",
            description = "Server of s3:// locations; default: the SDK's own settings.")
    Optional<String> endpointUrl = Optional.empty();

    @Option(names = "--requester-pays", description = "The source is a requester-pays bucket: you pay for reading it.")
    boolean requesterPays;

    /** The source, reached as the flags say. */
    Location source(Location source) throws ConfigException {
        if (!(source instanceof Location.S3 s3)) {
            if (requesterPays) {
                throw new Setting("--requester-pays")
                        .error("is for buckets, and the source is a directory: " + source.describe());
            }
            return source;
        }
        return reached(s3, requesterPays || s3.requesterPays());
    }

    /** The sink, reached as the flags say. */
    Location sink(Location sink) throws ConfigException {
        return sink instanceof Location.S3 s3 ? reached(s3, s3.requesterPays()) : sink;
    }

    private Location.S3 reached(Location.S3 s3, boolean pays) throws ConfigException {
        return new Location.S3(
                s3.bucket(),
                s3.prefix(),
                region.filter(r -> !r.isEmpty()).or(s3::region),
                endpointUrl.isPresent()
                        ? SettingValues.endpointUrl(endpointUrl.get(), new Setting("--endpoint-url"))
                        : s3.endpointUrl(),
                pays);
    }
}
