package dev.stet.api;

import dev.stet.config.ConfigValue.Section;

/** Where a pipeline lands records. Immutable: each method gives a new one. */
public abstract sealed class DataSink permits DataSinkS3, DataSinkFile {
    private final String name;
    private final String kind;
    private final Section settings;

    DataSink(String name, String kind, Section settings) {
        this.name = name;
        this.kind = kind;
        this.settings = settings;
    }

    /** What the file calls it. */
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
