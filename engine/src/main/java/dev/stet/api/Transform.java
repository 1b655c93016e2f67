package dev.stet.api;

import dev.stet.config.ConfigValue;
import dev.stet.config.ConfigValue.Items;
import dev.stet.config.ConfigValue.Section;
import java.util.List;

/**
 * Where records go. Fields are alternatives, the first usable one wins: given as one text they are separated by commas, given as a list each is one field as
 * it stands. Immutable: each method gives a new one.
 */
public final class Transform {
    private final Section settings;

    /** Of defaults: one folder named like the data source. */
    public Transform() {
        this(Section.EMPTY);
    }

    Transform(Section settings) {
        this.settings = settings;
    }

    Section settings() {
        return settings;
    }

    static ConfigValue levels(List<List<String>> levels) {
        return new Items(levels.stream().<ConfigValue>map(Items::ofTexts).toList());
    }

    /** Fields that name the first folder. */
    public Transform namespaceFields(String fields) {
        return new Transform(settings.with("namespace_fields", fields));
    }

    /** Fields that name the first folder. */
    public Transform namespaceFields(List<String> fields) {
        return new Transform(settings.with("namespace_fields", fields));
    }

    /** One fixed first folder, where there are no namespace fields; empty: no such folder. */
    public Transform namespace(String name) {
        return new Transform(settings.with("namespace", name));
    }

    /** Fields of the one partition folder. */
    public Transform batchPartitionFields(String fields) {
        return new Transform(settings.with("batch_partition_fields", fields));
    }

    /** Fields of the one partition folder. */
    public Transform batchPartitionFields(List<String> fields) {
        return new Transform(settings.with("batch_partition_fields", fields));
    }

    /** Fields of several partition folders, outermost first. */
    public Transform batchPartitionLevels(List<List<String>> fields) {
        return new Transform(settings.with("batch_partition_fields", levels(fields)));
    }

    /** One folder name for all alternatives; empty: the path that matched. */
    public Transform partitionName(String name) {
        return new Transform(settings.with("partition_name", name));
    }

    /** Folder names of several levels. */
    public Transform partitionName(List<String> names) {
        return new Transform(settings.with("partition_name", names));
    }

    /** Before each partition folder; {@code p_} unless set. */
    public Transform partitionPrefix(String prefix) {
        return new Transform(settings.with("partition_prefix", prefix));
    }

    /** Fields that hold the event time. */
    public Transform batchTimeFields(String fields) {
        return new Transform(settings.with("batch_time_fields", fields));
    }

    /** Fields that hold the event time. */
    public Transform batchTimeFields(List<String> fields) {
        return new Transform(settings.with("batch_time_fields", fields));
    }

    /** The finest time folder; a day unless set. */
    public Transform batchTimeUnit(BatchTimeUnit unit) {
        return new Transform(settings.with("batch_time_unit", unit.word()));
    }

    /** Before each time folder, for instance {@code p_}; empty unless set. */
    public Transform timePartitionPrefix(String prefix) {
        return new Transform(settings.with("time_partition_prefix", prefix));
    }

    public Transform timePartitionPadding(TimePartitionPadding padding) {
        return new Transform(settings.with("time_partition_padding", padding.word()));
    }

    /** Other fields for the records of one namespace. */
    public Transform override(String namespace, TransformOverride override) {
        return new Transform(
                settings.with("overrides", settings.section("overrides").with(namespace, override.settings())));
    }

    /** Where records go that lack a namespace, partition or time. */
    public Transform onMissing(OnMissing onMissing) {
        return new Transform(settings.with("on_missing", onMissing.settings()));
    }

    /** Takes the records out of an envelope: the array or object at this path. */
    public Transform recordFieldPath(String path) {
        return new Transform(settings.with("record_field_path", path));
    }
}
