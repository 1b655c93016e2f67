package dev.stet.registry;

import dev.stet.config.Location;
import dev.stet.config.PipelineConfig;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.config.SinkCompression;
import dev.stet.route.RoutingSettings;
import dev.stet.route.RoutingSettings.OnMissing;
import dev.stet.route.RoutingSettings.PartitionLevel;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Settings as the fields of the contract, from which {@link PipelineDefinition#config} makes the same settings again. */
final class DefinitionWriter {
    private DefinitionWriter() {}

    /** All but the name. */
    static ObjectNode fields(PipelineConfig config) {
        ObjectNode json = Json.object();
        place(json, "source", config.source(), "path", Optional.empty());
        place(
                json,
                "sink",
                config.sink(),
                "outputDir",
                config.compression() == SinkCompression.NONE
                        ? Optional.empty()
                        : Optional.of(config.compression().name().toLowerCase(Locale.ROOT)));
        ObjectNode transform = json.putObject("transform");
        transform(transform, config.routing());
        config.recordFieldPath().ifPresent(p -> transform.put("recordFieldPath", p));
        texts(json, "include", config.include());
        texts(json, "exclude", config.exclude());
        LandingPolicy landing = config.landing();
        if (landing.bufferSeconds() != LandingPolicy.DEFAULT_BUFFER_SECONDS) {
            json.put("bufferThresholdSeconds", landing.bufferSeconds());
        }
        landing.bufferBytes().ifPresent(b -> json.put("bufferThresholdBytes", b));
        if (landing.maxObjectBytes() != LandingPolicy.DEFAULT_MAX_OBJECT_BYTES) {
            json.put("maxObjectBytes", landing.maxObjectBytes());
        }
        return json;
    }

    /** As a URI where that says all. */
    private static void place(
            ObjectNode json, String field, Location location, String key, Optional<String> compression) {
        boolean plain = switch (location) {
            case Location.Directory d -> true;
            case Location.S3 s -> s.region().isEmpty() && s.endpointUrl().isEmpty() && !s.requesterPays();
        };
        if (plain && compression.isEmpty()) {
            json.put(field, location.describe());
            return;
        }
        ObjectNode options = json.putObject(field).putObject(location instanceof Location.S3 ? "S3" : "File");
        switch (location) {
            case Location.Directory d -> options.put(key, d.path().toString());
            case Location.S3 s -> {
                options.put("s3Bucket", s.bucket()).put("s3Prefix", s.prefix());
                s.region().ifPresent(r -> options.put("region", r));
                s.endpointUrl().ifPresent(u -> options.put("endpointUrl", u));
                if (s.requesterPays()) {
                    options.put("requesterPays", true);
                }
            }
        }
        compression.ifPresent(c -> options.put("compression", c));
    }

    private static void transform(ObjectNode json, RoutingSettings r) {
        if (r.namespaceFields().isEmpty()) {
            json.put("namespace", r.fixedNamespace());
        } else {
            texts(json, "namespaceFields", r.namespaceFields());
        }
        if (!r.levels().isEmpty()) {
            levels(json, r.levels(), false);
        }
        json.put("partitionPrefix", r.partitionPrefix());
        texts(json, "batchTimeFields", r.timeFields());
        json.put("batchTimeUnit", r.timeUnit().name().toLowerCase(Locale.ROOT));
        json.put("timePartitionPrefix", r.timePrefix());
        json.put("timePartitionPadding", r.padded() ? "zero" : "none");
        if (!r.overrides().isEmpty()) {
            ObjectNode overrides = json.putObject("overrides");
            new TreeMap<>(r.overrides()).forEach((namespace, o) -> {
                ObjectNode override = overrides.putObject(namespace);
                o.levels().ifPresent(l -> levels(override, l, true));
                o.timeFields().ifPresent(f -> texts(override, "batchTimeFields", f));
            });
        }
        if (!r.onMissing().equals(OnMissing.QUARANTINE)) {
            ObjectNode onMissing = json.putObject("onMissing");
            r.onMissing().namespace().ifPresent(f -> onMissing.put("namespace", f));
            r.onMissing().partition().ifPresent(f -> onMissing.put("partition", f));
            r.onMissing().time().ifPresent(f -> onMissing.put("time", f));
        }
    }

    /** @param always say even that there are no names, where leaving them out would mean those for all */
    private static void levels(ObjectNode json, List<PartitionLevel> levels, boolean always) {
        ArrayNode fields = json.putArray("batchPartitionFields");
        for (PartitionLevel level : levels) {
            ArrayNode alternatives = fields.addArray();
            level.fields().forEach(alternatives::add);
        }
        if (always || levels.stream().anyMatch(l -> l.name().isPresent())) {
            ArrayNode names = json.putArray("partitionName");
            levels.forEach(l -> names.add(l.name().orElse("")));
        }
    }

    private static void texts(ObjectNode json, String field, List<String> values) {
        if (!values.isEmpty()) {
            ArrayNode array = json.putArray(field);
            values.forEach(array::add);
        }
    }
}
