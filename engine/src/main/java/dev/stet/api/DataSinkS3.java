package dev.stet.api;

import dev.stet.config.ConfigValue.Section;
import dev.stet.config.SinkCompression;
import java.util.Locale;

/** A folder of a bucket to land in. */
public final class DataSinkS3 extends DataSink {
    public DataSinkS3(String name) {
        this(name, Section.EMPTY);
    }

    DataSinkS3(String name, Section settings) {
        super(name, "S3", settings);
    }

    private DataSinkS3 with(Section settings) {
        return new DataSinkS3(name(), settings);
    }

    public DataSinkS3 s3Bucket(String bucket) {
        return with(settings().with("s3_bucket", bucket));
    }

    public DataSinkS3 s3Prefix(String prefix) {
        return with(settings().with("s3_prefix", prefix));
    }

    /** Records land as they are, one a line: {@code jsonl}, and there is no other. */
    public DataSinkS3 format(String format) {
        return with(settings().with("format", format));
    }

    public DataSinkS3 compression(SinkCompression compression) {
        return with(settings().with("compression", compression.name().toLowerCase(Locale.ROOT)));
    }

    public DataSinkS3 region(String region) {
        return with(settings().with("region", region));
    }

    public DataSinkS3 endpointUrl(String url) {
        return with(settings().with("endpoint_url", url));
    }
}
