package dev.stet.api;

import dev.stet.config.ConfigValue.Section;
import dev.stet.config.SinkCompression;
import java.util.Locale;

/** A directory to land in. */
public final class DataSinkFile extends DataSink {
    public DataSinkFile(String name) {
        this(name, Section.EMPTY);
    }

    DataSinkFile(String name, Section settings) {
        super(name, "File", settings);
    }

    private DataSinkFile with(Section settings) {
        return new DataSinkFile(name(), settings);
    }

    /** The directory; a relative path is the working directory's and is saved as an absolute one. */
    public DataSinkFile outputDir(String directory) {
        return with(settings().with("output_dir", directory));
    }

    /** Records land as they are, one a line: {@code jsonl}, and there is no other. */
    public DataSinkFile format(String format) {
        return with(settings().with("format", format));
    }

    public DataSinkFile compression(SinkCompression compression) {
        return with(settings().with("compression", compression.name().toLowerCase(Locale.ROOT)));
    }
}
