package dev.stet.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of each mapping of a configuration file (design §8), in the classes that matter: used; of the engine this layout comes from and without
 * meaning here, so accepted; refused because they would change bytes, order or place. Any other key is an error.
 */
@SuppressWarnings("ImmutableEnumChecker") // the collections are of List.of and Map.of
public enum ConfigSection {
    FILE(
            "the top level",
            List.of("stet", "skippr", "pipelines", "data_sources", "data_sinks"),
            List.of("schema_sinks", "deadletter_sinks", "vector_sources", "runtime_plugins", "project", "react", "dbt"),
            Map.of()),
    SETTINGS(
            "stet",
            List.of("workspace"),
            List.of(
                    "tenant",
                    "data_dir",
                    "stats",
                    "skipprd_el_storage_mode",
                    "skippr_s3_bucket",
                    "wal_s3_bucket",
                    "offset_store",
                    "offset_dynamodb_table"),
            Map.of()),
    PIPELINE(
            "a pipeline",
            List.of(
                    "type",
                    "data_source",
                    "data_sink",
                    "transform",
                    "include",
                    "exclude",
                    "buffer_threshold_seconds",
                    "buffer_threshold_bytes",
                    "max_object_bytes"),
            List.of(
                    "sync_frequency_seconds",
                    "buffer_disk_threshold_bytes",
                    "data_dir",
                    "stats",
                    "schema_sink",
                    "deadletter_sink",
                    "semantic_layer",
                    "cdc",
                    "env",
                    "auto_approve",
                    "reset_offsets",
                    "reset_metadata",
                    "chaos_mode"),
            Map.of()),
    TRANSFORM(
            "transform",
            List.of(
                    "namespace_fields",
                    "namespace",
                    "batch_partition_fields",
                    "partition_name",
                    "partition_prefix",
                    "batch_time_fields",
                    "batch_time_unit",
                    "time_partition_prefix",
                    "time_partition_padding",
                    "overrides",
                    "on_missing",
                    "record_field_path"),
            List.of("enable_single_quote_parsing", "enable_unicode_parsing"),
            Map.of(
                    "flatten_events",
                    "it would rewrite the records; stet copies them byte for byte",
                    "inject_fields",
                    "it would add to the records; stet copies them byte for byte",
                    "batch_order_fields",
                    "it would sort the records; stet promises no order but their bytes",
                    "partition_allowed_values",
                    "it would move records to other folders; in stet each value has its own")),
    OVERRIDE(
            "an override",
            List.of("batch_partition_fields", "partition_name", "batch_time_fields"),
            List.of(),
            Map.of()),
    ON_MISSING("on_missing", List.of("namespace", "partition", "time"), List.of(), Map.of()),
    S3_SOURCE(
            "an S3 source",
            List.of("s3_bucket", "s3_prefix", "format", "region", "endpoint_url", "requester_pays"),
            List.of(),
            Map.of()),
    FILE_SOURCE("a File source", List.of("path", "format"), List.of(), Map.of()),
    S3_SINK(
            "an S3 sink",
            List.of("s3_bucket", "s3_prefix", "format", "compression", "region", "endpoint_url"),
            List.of(),
            Map.of()),
    FILE_SINK("a File sink", List.of("output_dir", "format", "compression"), List.of(), Map.of());

    private final String title;
    private final List<String> used;
    private final List<String> ignored;
    private final Map<String, String> refused;

    ConfigSection(String title, List<String> used, List<String> ignored, Map<String, String> refused) {
        this.title = title;
        this.used = used;
        this.ignored = ignored;
        this.refused = refused;
    }

    /** What messages call this mapping. */
    public String title() {
        return title;
    }

    public List<String> used() {
        return used;
    }

    /** Accepted and without meaning here. */
    public List<String> ignored() {
        return ignored;
    }

    /** Refused keys, each with the reason. */
    public Map<String, String> refused() {
        return refused;
    }

    /** Where else a key would be right. */
    Optional<ConfigSection> homeOf(String key) {
        for (ConfigSection section : List.of(PIPELINE, TRANSFORM, SETTINGS, FILE)) {
            if (section != this && section.used.contains(key)) {
                return Optional.of(section);
            }
        }
        return Optional.empty();
    }
}
