package dev.stet.api;

import dev.stet.config.ConfigValue.Section;
import dev.stet.config.Format;
import java.util.Locale;

/** A directory to read from. */
public final class DataSourceFile extends DataSource {
    public DataSourceFile(String name) {
        this(name, Section.EMPTY);
    }

    DataSourceFile(String name, Section settings) {
        super(name, "File", settings);
    }

    private DataSourceFile with(Section settings) {
        return new DataSourceFile(name(), settings);
    }

    /** The directory; a relative path is the working directory's and is saved as an absolute one. */
    public DataSourceFile path(String directory) {
        return with(settings().with("path", directory));
    }

    public DataSourceFile format(Format format) {
        return with(settings().with("format", format.name().toLowerCase(Locale.ROOT)));
    }
}
