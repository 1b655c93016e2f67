package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.ConfigFile;
import dev.stet.config.Location;
import dev.stet.config.Locations;
import dev.stet.config.PipelineConfig;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import dev.stet.registry.Json;
import dev.stet.registry.PipelineDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a pipeline is: by flags, of which those of routing are the ones of {@code copy}, or by a pipeline of a configuration file. */
final class DefinitionFlags {
    @Option(names = "--name", paramLabel = "NAME", required = true, description = "The pipeline's name.")
    String name;

    @Option(
            names = "--source",
            paramLabel = "URI",
            description = "Directory, s3://BUCKET/PREFIX, or the place of another engine: postgres://orders.")
    Optional<String> source = Optional.empty();

    @Option(
            names = "--sink",
            paramLabel = "URI",
            description = "Directory, s3://BUCKET/PREFIX, or the place of another engine: iceberg://lake/orders.")
    Optional<String> sink = Optional.empty();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "What kind of pipeline another engine runs; copy, between directories and S3, needs no word.")
    Optional<String> type = Optional.empty();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Take source, sink and transform from this file instead.")
    Optional<String> config = Optional.empty();

    @Option(
            names = "--pipeline",
            paramLabel = "NAME",
            description = "The pipeline in FILE; the only copy pipeline by default.")
    Optional<String> pipeline = Optional.empty();

    @Mixin
    RoutingFlags routing = new RoutingFlags();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            completionCandidates = Candidates.Formats.class,
            description = "What the records are: json (default).")
    Optional<String> format = Optional.empty();

    @Option(
            names = "--record-field-path",
            paramLabel = "PATH",
            description = "Take the records out of an envelope: the array (or object) at this path.")
    Optional<String> recordFieldPath = Optional.empty();

    @Option(
            names = "--compression",
            paramLabel = "none|gzip",
            completionCandidates = Candidates.Compressions.class,
            description = "How landed objects are packed; none by default.")
    Optional<String> compression = Optional.empty();

    @Option(names = "--include", paramLabel = "GLOB", description = "Only objects whose key matches. May be repeated.")
    List<String> include = List.of();

    @Option(names = "--exclude", paramLabel = "GLOB", description = "Not objects whose key matches. May be repeated.")
    List<String> exclude = List.of();

    @Option(
            names = "--buffer-threshold-seconds",
            paramLabel = "N",
            description = "Land what is this old; 86400 by default.")
    Optional<String> bufferThresholdSeconds = Optional.empty();

    @Option(
            names = "--buffer-threshold-bytes",
            paramLabel = "SIZE",
            description = "Land when this much waits; no limit by default.")
    Optional<String> bufferThresholdBytes = Optional.empty();

    @Option(
            names = "--max-object-bytes",
            paramLabel = "SIZE",
            description = "Landed objects are begun anew rather than exceed this; 1GiB by default.")
    Optional<String> maxObjectBytes = Optional.empty();

    /** The fields of the request, as given. */
    ObjectNode request(Surroundings surroundings) throws ConfigException {
        ObjectNode request = Json.object().put("name", name);
        if (config.isPresent()) {
            ofFile(request, surroundings);
            return request;
        }
        if (pipeline.isPresent()) {
            throw new Setting("--pipeline").error("names a pipeline of a file; give --config FILE too");
        }
        place(request, "source", source, surroundings, "path", "format", format);
        place(request, "sink", sink, surroundings, "outputDir", "compression", compression);
        type.ifPresent(t -> request.put("type", t));
        ObjectNode transform = transform();
        if (!transform.isEmpty()) {
            request.set("transform", transform);
        }
        texts(request, "include", include);
        texts(request, "exclude", exclude);
        if (bufferThresholdSeconds.isPresent()) {
            request.put(
                    "bufferThresholdSeconds",
                    SettingValues.seconds(bufferThresholdSeconds.get(), new Setting("--buffer-threshold-seconds")));
        }
        bufferThresholdBytes.ifPresent(b -> request.put("bufferThresholdBytes", b));
        maxObjectBytes.ifPresent(b -> request.put("maxObjectBytes", b));
        return request;
    }

    private void ofFile(ObjectNode request, Surroundings surroundings) throws ConfigException {
        if (source.isPresent() || sink.isPresent() || !transform().isEmpty()) {
            throw new Setting("--config").error("source, sink and transform come from the file; leave out their flags");
        }
        String shown = config.orElseThrow();
        PipelineConfig read = ConfigFile.read(
                        Locations.path(shown, surroundings.workingDirectory(), new Setting("--config")),
                        shown,
                        surroundings.configContext())
                .pipeline(pipeline)
                .config();
        PipelineDefinition.fields(read).properties().forEach(e -> request.set(e.getKey(), e.getValue()));
    }

    /** A place as it was written; a directory absolute, since a server elsewhere does not know where we are; structured where an option belongs to it. */
    private static void place(
            ObjectNode request,
            String field,
            Optional<String> given,
            Surroundings surroundings,
            String directoryKey,
            String optionKey,
            Optional<String> option)
            throws ConfigException {
        if (given.isEmpty()) {
            if (option.isPresent()) {
                throw new Setting("--" + optionKey).error("belongs to --" + field + "; give both");
            }
            return;
        }
        String text = given.get();
        if (!PipelineDefinition.canCopy(text)) {
            request.put(field, text);
            return;
        }
        Location location = Locations.parse(text, surroundings.workingDirectory(), new Setting("--" + field));
        if (option.isEmpty()) {
            request.put(field, location instanceof Location.Directory ? location.describe() : text);
            return;
        }
        ObjectNode structured = request.putObject(field);
        switch (location) {
            case Location.Directory d ->
                structured
                        .putObject("File")
                        .put(directoryKey, d.path().toString())
                        .put(optionKey, option.get());
            case Location.S3 s ->
                structured
                        .putObject("S3")
                        .put("s3Bucket", s.bucket())
                        .put("s3Prefix", s.prefix())
                        .put(optionKey, option.get());
        }
    }

    private ObjectNode transform() throws ConfigException {
        ObjectNode json = Json.object();
        routing.namespaceFields.ifPresent(f -> json.put("namespaceFields", f));
        routing.namespace.ifPresent(n -> json.put("namespace", n));
        if (routing.batchPartitionFields.size() == 1) {
            json.put("batchPartitionFields", routing.batchPartitionFields.getFirst());
        } else if (!routing.batchPartitionFields.isEmpty()) {
            ArrayNode levels = json.putArray("batchPartitionFields");
            for (String level : routing.batchPartitionFields) {
                ArrayNode fields = levels.addArray();
                SettingValues.fields(level, new Setting("--batch-partition-fields"))
                        .forEach(fields::add);
            }
        }
        texts(json, "partitionName", routing.partitionName);
        routing.partitionPrefix.ifPresent(p -> json.put("partitionPrefix", p));
        routing.batchTimeFields.ifPresent(f -> json.put("batchTimeFields", f));
        routing.batchTimeUnit.ifPresent(u -> json.put("batchTimeUnit", u));
        routing.timePartitionPrefix.ifPresent(p -> json.put("timePartitionPrefix", p));
        routing.timePartitionPadding.ifPresent(p -> json.put("timePartitionPadding", p));
        List<String> folders = new ArrayList<>(routing.onMissing);
        if (!folders.isEmpty()) {
            ObjectNode onMissing = json.putObject("onMissing");
            for (String pair : folders) {
                int equals = pair.indexOf('=');
                if (equals < 0) {
                    throw new Setting("--on-missing").error(SettingValues.quote(pair) + " is not DIM=FOLDER");
                }
                onMissing.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        recordFieldPath.ifPresent(p -> json.put("recordFieldPath", p));
        return json;
    }

    private static void texts(ObjectNode json, String field, List<String> values) {
        if (values.size() == 1) {
            json.put(field, values.getFirst());
        } else if (!values.isEmpty()) {
            ArrayNode array = json.putArray(field);
            values.forEach(array::add);
        }
    }
}
