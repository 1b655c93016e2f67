package dev.stet.api;

import dev.stet.config.ConfigValue.Section;
import dev.stet.config.Format;
import java.util.Locale;

/** A bucket, or a string prefix of it, to read from. */
public final class DataSourceS3 extends DataSource {
    public DataSourceS3(String name) {
        this(name, Section.EMPTY);
    }

    DataSourceS3(String name, Section settings) {
        super(name, "S3", settings);
    }

    private DataSourceS3 with(Section settings) {
        return new DataSourceS3(name(), settings);
    }

    public DataSourceS3 s3Bucket(String bucket) {
        return with(settings().with("s3_bucket", bucket));
    }

    /** A string prefix, as in S3: without a final slash it matches sibling folders too. */
    public DataSourceS3 s3Prefix(String prefix) {
        return with(settings().with("s3_prefix", prefix));
    }

    public DataSourceS3 format(Format format) {
        return with(settings().with("format", format.name().toLowerCase(Locale.ROOT)));
    }

    public DataSourceS3 region(String region) {
        return with(settings().with("region", region));
    }

    public DataSourceS3 endpointUrl(String url) {
        return with(settings().with("endpoint_url", url));
    }

    /** Whether every call on the source says that the caller pays for it. */
    public DataSourceS3 requesterPays(boolean pays) {
        return with(settings().with("requester_pays", pays));
    }
}
