package dev.stet.api;

import dev.stet.config.ConfigValue.Section;

/** Folders for records that lack something; {@code quarantine}, which is the default, sets them aside. Immutable: each method gives a new one. */
public final class OnMissing {
    private final Section settings;

    public OnMissing() {
        this(Section.EMPTY);
    }

    private OnMissing(Section settings) {
        this.settings = settings;
    }

    Section settings() {
        return settings;
    }

    /** The folder of records without a namespace. */
    public OnMissing namespace(String folder) {
        return new OnMissing(settings.with("namespace", folder));
    }

    /** The folder of records without a value for a partition level. */
    public OnMissing partition(String folder) {
        return new OnMissing(settings.with("partition", folder));
    }

    /** The folder of records without a time. */
    public OnMissing time(String folder) {
        return new OnMissing(settings.with("time", folder));
    }
}
