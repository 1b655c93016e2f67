package dev.stet.api;

import dev.stet.config.ConfigValue.Section;

/** Where a pipeline reads. Immutable: each method gives a new one. */
public abstract sealed class DataSource permits DataSourceS3, DataSourceFile {
    private final String name;
    private final String kind;
    private final Section settings;

    DataSource(String name, String kind, Section settings) {
        this.name = name;
        this.kind = kind;
        this.settings = settings;
    }

    /** What the file calls it; also the namespace of records where the transform sets none. */
    public final String name() {
        return name;
    }

    final Section settings() {
        return settings;
    }

    final Section section() {
        return Section.EMPTY.with(kind, settings);
    }
}
