package dev.stet.config;

import dev.stet.config.ConfigValue.Items;
import dev.stet.config.ConfigValue.Section;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.route.RoutingSettings;
import dev.stet.route.RoutingSettings.OnMissing;
import dev.stet.route.RoutingSettings.Override;
import dev.stet.route.RoutingSettings.PartitionLevel;
import dev.stet.route.TimeUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Pipelines as the content of a configuration file, which {@link ConfigFile} reads back as the same settings. Settings that have their default are left
 * out. Equal settings give the same content.
 */
public final class ConfigTree {
    private ConfigTree() {}

    /** The file that holds these pipelines, all of one workspace; sources or sinks of one name are one. */
    public static Section file(List<LoadedPipeline> pipelines) {
        Section each = Section.EMPTY;
        Section sources = Section.EMPTY;
        Section sinks = Section.EMPTY;
        String workspace = ConfigFile.DEFAULT_WORKSPACE;
        for (LoadedPipeline p : pipelines) {
            workspace = p.config().workspace().orElse(workspace);
            each = each.with(p.config().name().orElse(p.sourceName()), pipeline(p));
            sources = sources.with(p.sourceName(), source(p.config()));
            sinks = sinks.with(p.sinkName(), sink(p.config()));
        }
        return Section.EMPTY
                .with("stet", Section.EMPTY.with("workspace", workspace))
                .with("pipelines", each)
                .with("data_sources", sources)
                .with("data_sinks", sinks);
    }

    private static Section pipeline(LoadedPipeline loaded) {
        PipelineConfig config = loaded.config();
        LandingPolicy landing = config.landing();
        Section section = Section.EMPTY.with("type", "copy");
        if (landing.bufferSeconds() != LandingPolicy.DEFAULT_BUFFER_SECONDS) {
            section = section.with("buffer_threshold_seconds", landing.bufferSeconds());
        }
        if (landing.bufferBytes().isPresent()) {
            section =
                    section.with("buffer_threshold_bytes", landing.bufferBytes().get());
        }
        if (landing.maxObjectBytes() != LandingPolicy.DEFAULT_MAX_OBJECT_BYTES) {
            section = section.with("max_object_bytes", landing.maxObjectBytes());
        }
        if (!config.include().isEmpty()) {
            section = section.with("include", config.include());
        }
        if (!config.exclude().isEmpty()) {
            section = section.with("exclude", config.exclude());
        }
        Section transform = transform(config.routing());
        if (config.recordFieldPath().isPresent()) {
            transform =
                    transform.with("record_field_path", config.recordFieldPath().get());
        }
        return section.with("data_source", "data_sources." + loaded.sourceName())
                .with("data_sink", "data_sinks." + loaded.sinkName())
                .with("transform", transform);
    }

    private static Section transform(RoutingSettings routing) {
        Section section = routing.namespaceFields().isEmpty()
                ? Section.EMPTY.with("namespace", routing.fixedNamespace())
                : Section.EMPTY.with("namespace_fields", fields(routing.namespaceFields()));
        if (!routing.levels().isEmpty()) {
            section = levels(section, routing.levels(), false);
        }
        if (!routing.partitionPrefix().equals("p_")) {
            section = section.with("partition_prefix", routing.partitionPrefix());
        }
        if (!routing.timeFields().isEmpty()) {
            section = section.with("batch_time_fields", fields(routing.timeFields()));
        }
        if (routing.timeUnit() != TimeUnit.DAY || !routing.timeFields().isEmpty()) {
            section = section.with("batch_time_unit", word(routing.timeUnit()));
        }
        if (!routing.timePrefix().isEmpty()) {
            section = section.with("time_partition_prefix", routing.timePrefix());
        }
        if (!routing.padded()) {
            section = section.with("time_partition_padding", "none");
        }
        if (!routing.overrides().isEmpty()) {
            section = section.with("overrides", overrides(routing.overrides()));
        }
        return routing.onMissing().equals(OnMissing.QUARANTINE)
                ? section
                : section.with("on_missing", onMissing(routing.onMissing()));
    }

    private static Section overrides(Map<String, Override> overrides) {
        Section all = Section.EMPTY;
        for (Map.Entry<String, Override> entry : new TreeMap<>(overrides).entrySet()) {
            Override override = entry.getValue();
            Section section = Section.EMPTY;
            if (override.levels().isPresent()) {
                section = levels(section, override.levels().get(), true);
            }
            if (override.timeFields().isPresent()) {
                section = section.with(
                        "batch_time_fields", fields(override.timeFields().get()));
            }
            all = all.with(entry.getKey(), section);
        }
        return all;
    }

    /** Partition levels; {@code always}: write out that there are no names, where leaving them out would mean those for all. */
    private static Section levels(Section section, List<PartitionLevel> levels, boolean always) {
        List<ConfigValue> fields = levels.stream()
                .<ConfigValue>map(level -> Items.ofTexts(level.fields()))
                .toList();
        List<String> names =
                levels.stream().map(level -> level.name().orElse("")).toList();
        Section with = section.with(
                "batch_partition_fields",
                switch (levels.size()) {
                    case 0 -> new ConfigValue.Text("");
                    case 1 -> fields(levels.getFirst().fields());
                    default -> new Items(fields);
                });
        if (names.stream().anyMatch(n -> !n.isEmpty())) {
            return names.size() > 1
                    ? with.with("partition_name", names)
                    : with.with("partition_name", names.getFirst());
        }
        return always ? with.with("partition_name", "") : with;
    }

    /** Comma-separated, as people write it; a list where a field would not survive that. */
    private static ConfigValue fields(List<String> fields) {
        boolean simple = !fields.isEmpty()
                && fields.stream().allMatch(f -> f.indexOf(',') < 0 && f.equals(f.strip()) && !f.isEmpty());
        return simple ? new ConfigValue.Text(String.join(",", fields)) : Items.ofTexts(fields);
    }

    private static Section onMissing(OnMissing onMissing) {
        Section section = Section.EMPTY;
        for (Map.Entry<String, Optional<String>> entry : List.of(
                Map.entry("namespace", onMissing.namespace()),
                Map.entry("partition", onMissing.partition()),
                Map.entry("time", onMissing.time()))) {
            if (entry.getValue().isPresent()) {
                section = section.with(entry.getKey(), entry.getValue().get());
            }
        }
        return section;
    }

    private static Section source(PipelineConfig config) {
        return switch (config.source()) {
            case Location.Directory directory ->
                Section.EMPTY.with(
                        "File",
                        format(Section.EMPTY.with("path", directory.path().toString()), config.format()));
            case Location.S3 s3 -> Section.EMPTY.with("S3", format(s3(s3), config.format()));
        };
    }

    private static Section format(Section section, Format format) {
        return format == Format.JSON ? section : section.with("format", word(format));
    }

    private static Section sink(PipelineConfig config) {
        return switch (config.sink()) {
            case Location.Directory directory ->
                Section.EMPTY.with(
                        "File",
                        landed(Section.EMPTY.with("output_dir", directory.path().toString()), config.compression()));
            case Location.S3 s3 -> Section.EMPTY.with("S3", landed(s3(s3), config.compression()));
        };
    }

    private static Section landed(Section section, SinkCompression compression) {
        Section with = section.with("format", "jsonl");
        return compression == SinkCompression.NONE ? with : with.with("compression", word(compression));
    }

    private static Section s3(Location.S3 s3) {
        Section section = Section.EMPTY.with("s3_bucket", s3.bucket());
        if (!s3.prefix().isEmpty()) {
            section = section.with("s3_prefix", s3.prefix());
        }
        if (s3.region().isPresent()) {
            section = section.with("region", s3.region().get());
        }
        if (s3.endpointUrl().isPresent()) {
            section = section.with("endpoint_url", s3.endpointUrl().get());
        }
        return s3.requesterPays() ? section.with("requester_pays", true) : section;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
