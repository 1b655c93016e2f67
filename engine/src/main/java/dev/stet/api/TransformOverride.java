package dev.stet.api;

import dev.stet.config.ConfigValue.Section;
import java.util.List;

/** What one namespace has in place of the settings for all; what is left out is as for all. Immutable: each method gives a new one. */
public final class TransformOverride {
    private final Section settings;

    public TransformOverride() {
        this(Section.EMPTY);
    }

    private TransformOverride(Section settings) {
        this.settings = settings;
    }

    Section settings() {
        return settings;
    }

    /** Fields of the one partition folder. */
    public TransformOverride batchPartitionFields(String fields) {
        return new TransformOverride(settings.with("batch_partition_fields", fields));
    }

    /** Fields of the one partition folder. */
    public TransformOverride batchPartitionFields(List<String> fields) {
        return new TransformOverride(settings.with("batch_partition_fields", fields));
    }

    /** Fields of several partition folders, outermost first. */
    public TransformOverride batchPartitionLevels(List<List<String>> fields) {
        return new TransformOverride(settings.with("batch_partition_fields", Transform.levels(fields)));
    }

    /** One folder name for all alternatives; empty: the path that matched. */
    public TransformOverride partitionName(String name) {
        return new TransformOverride(settings.with("partition_name", name));
    }

    /** Folder names of several levels. */
    public TransformOverride partitionName(List<String> names) {
        return new TransformOverride(settings.with("partition_name", names));
    }

    /** Fields that hold the event time. */
    public TransformOverride batchTimeFields(String fields) {
        return new TransformOverride(settings.with("batch_time_fields", fields));
    }

    /** Fields that hold the event time. */
    public TransformOverride batchTimeFields(List<String> fields) {
        return new TransformOverride(settings.with("batch_time_fields", fields));
    }
}
