package dev.stet.config;

import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.route.RoutingSettings;
import dev.stet.route.RoutingSettings.OnMissing;
import dev.stet.route.RoutingSettings.Override;
import dev.stet.route.RoutingSettings.PartitionLevel;
import dev.stet.route.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Saves a pipeline as YAML that {@link ConfigFile} reads back as the same settings; saved again, it gives the same bytes. Settings that have their
 * default are left out.
 */
public final class ConfigWriter {
    private static final String PLAIN_FIRST = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/_";
    private static final String PLAIN = PLAIN_FIRST + "0123456789-.@+";

    private final StringBuilder yaml = new StringBuilder();

    private ConfigWriter() {}

    /**
     * The file.
     *
     * @param name of the pipeline, where the settings have none (those of {@code copy})
     */
    public static String toYaml(PipelineConfig config, String name, String sourceName, String sinkName) {
        ConfigWriter writer = new ConfigWriter();
        writer.file(config, config.name().orElse(name), sourceName, sinkName);
        return writer.yaml.toString();
    }

    /** Saves a pipeline as it was loaded. */
    public static String toYaml(LoadedPipeline loaded) {
        return toYaml(loaded.config(), loaded.sourceName(), loaded.sourceName(), loaded.sinkName());
    }

    private void file(PipelineConfig config, String name, String sourceName, String sinkName) {
        open(0, "stet");
        put(1, "workspace", scalar(config.workspace().orElse(ConfigFile.DEFAULT_WORKSPACE)));
        open(0, "pipelines");
        open(1, name);
        put(2, "type", "copy");
        LandingPolicy landing = config.landing();
        if (landing.bufferSeconds() != LandingPolicy.DEFAULT_BUFFER_SECONDS) {
            put(2, "buffer_threshold_seconds", Long.toString(landing.bufferSeconds()));
        }
        landing.bufferBytes().ifPresent(bytes -> put(2, "buffer_threshold_bytes", Long.toString(bytes)));
        if (landing.maxObjectBytes() != LandingPolicy.DEFAULT_MAX_OBJECT_BYTES) {
            put(2, "max_object_bytes", Long.toString(landing.maxObjectBytes()));
        }
        if (!config.include().isEmpty()) {
            put(2, "include", list(config.include()));
        }
        if (!config.exclude().isEmpty()) {
            put(2, "exclude", list(config.exclude()));
        }
        put(2, "data_source", scalar("data_sources." + sourceName));
        put(2, "data_sink", scalar("data_sinks." + sinkName));
        open(2, "transform");
        transform(config.routing());
        config.recordFieldPath().ifPresent(path -> put(3, "record_field_path", scalar(path)));
        open(0, "data_sources");
        open(1, sourceName);
        source(config);
        open(0, "data_sinks");
        open(1, sinkName);
        sink(config);
    }

    private void transform(RoutingSettings routing) {
        if (routing.namespaceFields().isEmpty()) {
            put(3, "namespace", scalar(routing.fixedNamespace()));
        } else {
            put(3, "namespace_fields", fields(routing.namespaceFields()));
        }
        if (!routing.levels().isEmpty()) {
            levels(3, routing.levels(), false);
        }
        if (!routing.partitionPrefix().equals("p_")) {
            put(3, "partition_prefix", scalar(routing.partitionPrefix()));
        }
        if (!routing.timeFields().isEmpty()) {
            put(3, "batch_time_fields", fields(routing.timeFields()));
        }
        if (routing.timeUnit() != TimeUnit.DAY || !routing.timeFields().isEmpty()) {
            put(3, "batch_time_unit", routing.timeUnit().name().toLowerCase(Locale.ROOT));
        }
        if (!routing.timePrefix().isEmpty()) {
            put(3, "time_partition_prefix", scalar(routing.timePrefix()));
        }
        if (!routing.padded()) {
            put(3, "time_partition_padding", "none");
        }
        if (!routing.overrides().isEmpty()) {
            overrides(routing.overrides());
        }
        if (!routing.onMissing().equals(OnMissing.QUARANTINE)) {
            open(3, "on_missing");
            onMissing("namespace", routing.onMissing().namespace());
            onMissing("partition", routing.onMissing().partition());
            onMissing("time", routing.onMissing().time());
        }
    }

    private void overrides(Map<String, Override> overrides) {
        open(3, "overrides");
        for (Map.Entry<String, Override> entry : new TreeMap<>(overrides).entrySet()) {
            open(4, entry.getKey());
            Override override = entry.getValue();
            override.levels().ifPresent(levels -> levels(5, levels, true));
            override.timeFields().ifPresent(fields -> put(5, "batch_time_fields", fields(fields)));
            if (override.levels().isEmpty() && override.timeFields().isEmpty()) {
                yaml.setLength(yaml.length() - 1);
                yaml.append(" {}\n");
            }
        }
    }

    /** Partition levels; {@code always}: write out that there are no names, where leaving them out would mean those for all. */
    private void levels(int depth, List<PartitionLevel> levels, boolean always) {
        List<String> each = levels.stream().map(level -> fields(level.fields())).toList();
        boolean several = levels.size() > 1;
        put(depth, "batch_partition_fields", several ? flowLevels(levels) : each.isEmpty() ? "\"\"" : each.get(0));
        List<String> names =
                levels.stream().map(level -> level.name().orElse("")).toList();
        boolean named = names.stream().anyMatch(n -> !n.isEmpty());
        if (named) {
            put(depth, "partition_name", several ? list(names) : scalar(names.get(0)));
        } else if (always) {
            put(depth, "partition_name", "\"\"");
        }
    }

    private static String flowLevels(List<PartitionLevel> levels) {
        return "["
                + String.join(", ", levels.stream().map(l -> list(l.fields())).toList()) + "]";
    }

    private void onMissing(String dimension, Optional<String> folder) {
        folder.ifPresent(name -> put(4, dimension, scalar(name)));
    }

    private void source(PipelineConfig config) {
        switch (config.source()) {
            case Location.Directory directory -> {
                open(2, "File");
                put(3, "path", scalar(directory.path().toString()));
            }
            case Location.S3 s3 -> s3(s3);
        }
        if (config.format() != Format.JSON) {
            put(3, "format", config.format().name().toLowerCase(Locale.ROOT));
        }
    }

    private void sink(PipelineConfig config) {
        switch (config.sink()) {
            case Location.Directory directory -> {
                open(2, "File");
                put(3, "output_dir", scalar(directory.path().toString()));
            }
            case Location.S3 s3 -> s3(s3);
        }
        put(3, "format", "jsonl");
        if (config.compression() != SinkCompression.NONE) {
            put(3, "compression", config.compression().name().toLowerCase(Locale.ROOT));
        }
    }

    private void s3(Location.S3 s3) {
        open(2, "S3");
        put(3, "s3_bucket", scalar(s3.bucket()));
        if (!s3.prefix().isEmpty()) {
            put(3, "s3_prefix", scalar(s3.prefix()));
        }
        s3.region().ifPresent(region -> put(3, "region", scalar(region)));
        s3.endpointUrl().ifPresent(url -> put(3, "endpoint_url", scalar(url)));
        if (s3.requesterPays()) {
            put(3, "requester_pays", "true");
        }
    }

    private void open(int depth, String key) {
        yaml.repeat("  ", depth).append(keyText(key)).append(":\n");
    }

    private void put(int depth, String key, String value) {
        yaml.repeat("  ", depth).append(keyText(key)).append(": ").append(value).append('\n');
    }

    /** Comma-separated, as people write it; a list where a field would not survive that. */
    private static String fields(List<String> fields) {
        boolean simple = !fields.isEmpty()
                && fields.stream().allMatch(f -> f.indexOf(',') < 0 && f.equals(f.strip()) && !f.isEmpty());
        return simple ? scalar(String.join(",", fields)) : list(fields);
    }

    private static String list(List<String> values) {
        List<String> texts = new ArrayList<>();
        for (String value : values) {
            texts.add(quoted(value));
        }
        return "[" + String.join(", ", texts) + "]";
    }

    /** Keys are not subject to the environment, so nothing is escaped for it. */
    private static String keyText(String key) {
        return isPlain(key) ? key : doubleQuoted(key);
    }

    private static String scalar(String value) {
        return isPlain(value) ? value : quoted(value);
    }

    private static String quoted(String value) {
        return doubleQuoted(value.replace("${", "$${"));
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty() || PLAIN_FIRST.indexOf(text.charAt(0)) < 0) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (PLAIN.indexOf(c) < 0 && c != ',') {
                return false;
            }
        }
        // Words that YAML, or one of its versions, takes for something else than text.
        return !List.of("null", "true", "false", "yes", "no", "on", "off", "y", "n")
                .contains(text.toLowerCase(Locale.ROOT));
    }

    private static String doubleQuoted(String value) {
        StringBuilder text = new StringBuilder("\"");
        value.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                text.append('\\').append((char) c);
            } else if (c > 0xffff) {
                text.append("\\U%08x".formatted(c));
            } else if (c < ' ' || c >= 0x7f) {
                text.append("\\u%04x".formatted(c));
            } else {
                text.append((char) c);
            }
        });
        return text.append('"').toString();
    }
}
