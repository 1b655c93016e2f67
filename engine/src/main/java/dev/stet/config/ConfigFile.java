package dev.stet.config;

import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.config.RoutingBuilder.Names;
import dev.stet.config.RoutingBuilder.OverrideInput;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A configuration file (design §8). It may hold pipelines that other engines run: only the one that is asked for, with its source and sink, is checked.
 * Every error names file and line.
 */
public final class ConfigFile {
    /** Workspace of files that name none. */
    public static final String DEFAULT_WORKSPACE = "default";

    private static final String COPY = "copy";

    private final YamlDocument document;
    private final Path workingDirectory;
    private final Set<String> ignored = new LinkedHashSet<>();
    private final YamlSection file;
    private final YamlSection pipelines;

    private ConfigFile(YamlDocument document, Node root, Path workingDirectory) throws ConfigException {
        this.document = document;
        this.workingDirectory = workingDirectory;
        this.file = YamlSection.of(ConfigSection.FILE, document, root, "the file", ignored);
        this.pipelines = named("pipelines");
    }

    /**
     * Reads a file.
     *
     * @param shown the file's name in messages, as the user wrote it
     */
    public static ConfigFile read(Path file, String shown, ConfigContext context) throws ConfigException {
        try {
            return parse(shown, Files.readString(file), context);
        } catch (NoSuchFileException e) {
            throw new ConfigException("no such configuration file: " + shown);
        } catch (CharacterCodingException e) {
            throw new ConfigException(shown + ": not UTF-8");
        } catch (IOException e) {
            throw new ConfigException("cannot read the configuration file " + shown);
        }
    }

    public static ConfigFile parse(String label, String text, ConfigContext context) throws ConfigException {
        String withoutMark = text.startsWith("\uFEFF") ? text.substring(1) : text;
        YamlDocument document = new YamlDocument(label, context.environment());
        return new ConfigFile(document, document.parse(withoutMark), context.workingDirectory());
    }

    /**
     * The content of a file that was never written, read as if it were: the same checks, the same messages, but without line numbers.
     *
     * @param label stands where the messages name the file
     */
    public static ConfigFile of(String label, ConfigValue.Section content, ConfigContext context)
            throws ConfigException {
        YamlDocument document = new YamlDocument(label, context.environment());
        return new ConfigFile(document, YamlNodes.of(content), context.workingDirectory());
    }

    /** Names of all pipelines, of whatever type. */
    public Set<String> names() {
        return Collections.unmodifiableSet(pipelines.keys());
    }

    /** Names of those of type copy. */
    public Set<String> copies() throws ConfigException {
        Set<String> copies = new LinkedHashSet<>();
        for (String name : pipelines.keys()) {
            Optional<Node> node = pipelines.node(name);
            if (node.isPresent()
                    && YamlSection.names(document, node.get(), name)
                            .text("type")
                            .filter(COPY::equals)
                            .isPresent()) {
                copies.add(name);
            }
        }
        return copies;
    }

    /** The pipeline of this name; without one, the only pipeline of type copy. */
    public LoadedPipeline pipeline(Optional<String> name) throws ConfigException {
        String chosen = name.isPresent() ? name.get() : onlyCopy();
        Optional<Node> node = pipelines.node(chosen);
        if (node.isEmpty()) {
            throw new ConfigException(document.label() + ": no pipeline " + SettingValues.quote(chosen)
                    + (pipelines.keys().isEmpty() ? "; there are none" : "; there are " + names(pipelines.keys())));
        }
        return load(chosen, node.get());
    }

    private String onlyCopy() throws ConfigException {
        if (pipelines.keys().size() == 1) {
            return pipelines.keys().iterator().next(); // whatever its type: the message about that is the better one
        }
        Set<String> copies = copies();
        if (copies.isEmpty()) {
            throw new ConfigException(document.label() + ": no pipeline of type copy in it");
        }
        if (copies.size() > 1) {
            throw new ConfigException(document.label()
                    + ": several pipelines of type copy, choose one with --pipeline: " + names(copies));
        }
        return copies.iterator().next();
    }

    private LoadedPipeline load(String name, Node node) throws ConfigException {
        // The type first: the keys of other types are none of ours.
        YamlSection untyped = YamlSection.names(document, node, name);
        String type = untyped.required("type", "stet runs pipelines of type copy, and " + name + " has no type");
        if (!type.equals(COPY)) {
            throw untyped.at("type").error(SettingValues.quote(type) + ": stet runs pipelines of type copy only");
        }
        Set<String> unused = new LinkedHashSet<>(ignored);
        YamlSection pipeline = YamlSection.of(ConfigSection.PIPELINE, document, node, "pipelines." + name, unused);
        Optional<String> workspace = workspace(unused);
        Reference source = reference(pipeline, "data_source", "data_sources");
        Reference sink = reference(pipeline, "data_sink", "data_sinks");
        ReadSource from = source(source, unused);
        ReadSink to = sink(sink, unused);
        Optional<Node> transform = pipeline.node("transform");
        RoutingBuilder routing = new RoutingBuilder();
        Optional<String> recordFieldPath = Optional.empty();
        if (transform.isPresent()) {
            YamlSection section =
                    YamlSection.of(ConfigSection.TRANSFORM, document, transform.get(), "transform", unused);
            transform(section, routing);
            recordFieldPath = section.text("record_field_path").filter(p -> !p.isEmpty());
        }
        PipelineConfig config = new PipelineConfig(
                workspace,
                Optional.of(name),
                from.location(),
                from.format(),
                pipeline.texts("include").orElse(List.of()),
                pipeline.texts("exclude").orElse(List.of()),
                recordFieldPath,
                routing.build(source.name()),
                to.location(),
                to.compression(),
                landing(pipeline));
        List<String> notes = unused.isEmpty()
                ? List.of()
                : List.of(document.label() + ": without meaning in a copy, ignored: " + names(unused));
        return new LoadedPipeline(config, source.name(), sink.name(), notes);
    }

    private Optional<String> workspace(Set<String> unused) throws ConfigException {
        Optional<Node> stet = file.node("stet");
        Optional<Node> skippr = file.node("skippr");
        if (stet.isPresent() && skippr.isPresent()) {
            throw file.at("skippr").error("settings stand under stet as well; keep one of the two");
        }
        Optional<Node> settings = stet.or(() -> skippr);
        if (settings.isEmpty()) {
            return Optional.of(DEFAULT_WORKSPACE);
        }
        YamlSection section = YamlSection.of(
                ConfigSection.SETTINGS, document, settings.get(), stet.isPresent() ? "stet" : "skippr", unused);
        return Optional.of(section.text("workspace").orElse(DEFAULT_WORKSPACE));
    }

    private void transform(YamlSection section, RoutingBuilder routing) throws ConfigException {
        section.fields("namespace_fields").ifPresent(routing::namespaceFields);
        Optional<String> namespace = section.text("namespace");
        if (namespace.isPresent()) {
            routing.namespace(namespace.get(), section.at("namespace"));
        }
        section.levels("batch_partition_fields").ifPresent(routing::levels);
        partitionNames(section).ifPresent(routing::partitionNames);
        Optional<String> partitionPrefix = section.text("partition_prefix");
        if (partitionPrefix.isPresent()) {
            routing.partitionPrefix(SettingValues.folderPrefix(partitionPrefix.get(), section.at("partition_prefix")));
        }
        section.fields("batch_time_fields").ifPresent(routing::timeFields);
        Optional<String> unit = section.text("batch_time_unit");
        if (unit.isPresent()) {
            routing.timeUnit(SettingValues.timeUnit(unit.get(), section.at("batch_time_unit")));
        }
        Optional<String> timePrefix = section.text("time_partition_prefix");
        if (timePrefix.isPresent()) {
            routing.timePrefix(SettingValues.folderPrefix(timePrefix.get(), section.at("time_partition_prefix")));
        }
        Optional<String> padding = section.text("time_partition_padding");
        if (padding.isPresent()) {
            routing.padded(SettingValues.padded(padding.get(), section.at("time_partition_padding")));
        }
        overrides(section, routing);
        onMissing(section, routing);
    }

    private void overrides(YamlSection transform, RoutingBuilder routing) throws ConfigException {
        Optional<Node> node = transform.node("overrides");
        if (node.isEmpty()) {
            return;
        }
        YamlSection overrides = YamlSection.names(document, node.get(), "overrides");
        for (String namespace : overrides.keys()) {
            Optional<Node> value = overrides.node(namespace);
            if (value.isPresent()) {
                YamlSection section = YamlSection.of(
                        ConfigSection.OVERRIDE, document, value.get(), "overrides." + namespace, new LinkedHashSet<>());
                routing.override(
                        namespace,
                        new OverrideInput(
                                section.levels("batch_partition_fields"),
                                partitionNames(section),
                                section.fields("batch_time_fields")));
            }
        }
    }

    private static Optional<Names> partitionNames(YamlSection section) throws ConfigException {
        return section.texts("partition_name").map(names -> new Names(names, section.at("partition_name")));
    }

    private void onMissing(YamlSection transform, RoutingBuilder routing) throws ConfigException {
        Optional<Node> node = transform.node("on_missing");
        if (node.isEmpty()) {
            return;
        }
        YamlSection section =
                YamlSection.of(ConfigSection.ON_MISSING, document, node.get(), "on_missing", new LinkedHashSet<>());
        for (String dimension : section.keys()) {
            Optional<String> value = section.text(dimension);
            if (value.isPresent()) {
                routing.onMissing(dimension, value.get(), section.at(dimension));
            }
        }
    }

    private static LandingPolicy landing(YamlSection pipeline) throws ConfigException {
        Optional<String> seconds = pipeline.text("buffer_threshold_seconds");
        Optional<String> bytes = pipeline.text("buffer_threshold_bytes");
        Optional<String> object = pipeline.text("max_object_bytes");
        return new LandingPolicy(
                seconds.isPresent()
                        ? SettingValues.seconds(seconds.get(), pipeline.at("buffer_threshold_seconds"))
                        : LandingPolicy.DEFAULT_BUFFER_SECONDS,
                bytes.isPresent()
                        ? Optional.of(SettingValues.size(bytes.get(), pipeline.at("buffer_threshold_bytes")))
                        : Optional.empty(),
                object.isPresent()
                        ? SettingValues.size(object.get(), pipeline.at("max_object_bytes"))
                        : LandingPolicy.DEFAULT_MAX_OBJECT_BYTES);
    }

    private record Reference(String name, String kind, Node options, Setting at) {}

    private record ReadSource(Location location, Format format) {}

    private record ReadSink(Location location, SinkCompression compression) {}

    /** Follows {@code data_source: data_sources.NAME} to the one kind that stands under that name. */
    private Reference reference(YamlSection pipeline, String key, String group) throws ConfigException {
        String text = pipeline.required(key, "name one as " + group + ".NAME");
        String name = text.startsWith(group + ".") ? text.substring(group.length() + 1) : text;
        YamlSection members = named(group);
        Optional<Node> member = members.node(name);
        if (member.isEmpty()) {
            throw pipeline.at(key)
                    .error(SettingValues.quote(text) + " is not in " + group
                            + (members.keys().isEmpty() ? ", which has none" : ", which has " + names(members.keys())));
        }
        String title = group + "." + name;
        YamlSection kinds = YamlSection.names(document, member.get(), title);
        if (kinds.keys().size() != 1) {
            throw document.at(member.get(), title).error("one of S3 and File is expected under it");
        }
        String kind = kinds.keys().iterator().next();
        if (!kind.equals("S3") && !kind.equals("File")) {
            throw kinds.at(kind).error("stet copies between S3 and File, not " + SettingValues.quote(kind));
        }
        Optional<Node> options = kinds.node(kind);
        if (options.isEmpty()) {
            throw kinds.at(kind).error("nothing stands under it");
        }
        return new Reference(name, kind, options.get(), kinds.at(kind));
    }

    private ReadSource source(Reference reference, Set<String> unused) throws ConfigException {
        String title = "data_sources." + reference.name() + "." + reference.kind();
        if (reference.kind().equals("File")) {
            YamlSection section =
                    YamlSection.of(ConfigSection.FILE_SOURCE, document, reference.options(), title, unused);
            String path = section.required("path", "the directory to copy from");
            return new ReadSource(Locations.directory(path, workingDirectory, section.at("path")), format(section));
        }
        YamlSection section = YamlSection.of(ConfigSection.S3_SOURCE, document, reference.options(), title, unused);
        Optional<String> pays = section.text("requester_pays");
        boolean requesterPays = pays.isPresent() && SettingValues.flag(pays.get(), section.at("requester_pays"));
        return new ReadSource(s3(section, requesterPays), format(section));
    }

    private ReadSink sink(Reference reference, Set<String> unused) throws ConfigException {
        String title = "data_sinks." + reference.name() + "." + reference.kind();
        if (reference.kind().equals("File")) {
            YamlSection section = YamlSection.of(ConfigSection.FILE_SINK, document, reference.options(), title, unused);
            String path = section.required("output_dir", "the directory to copy to");
            return new ReadSink(
                    Locations.directory(path, workingDirectory, section.at("output_dir")), compression(section));
        }
        YamlSection section = YamlSection.of(ConfigSection.S3_SINK, document, reference.options(), title, unused);
        return new ReadSink(s3(section, false), compression(section));
    }

    private static Location s3(YamlSection section, boolean requesterPays) throws ConfigException {
        String bucket = section.required("s3_bucket", "the name of the bucket");
        Optional<String> url = section.text("endpoint_url");
        return Locations.s3(
                bucket,
                section.text("s3_prefix").orElse(""),
                section.text("region").filter(r -> !r.isEmpty()),
                url.isPresent() ? SettingValues.endpointUrl(url.get(), section.at("endpoint_url")) : url,
                requesterPays,
                section.at("s3_bucket"));
    }

    private static Format format(YamlSection section) throws ConfigException {
        Optional<String> format = section.text("format");
        return format.isPresent() ? SettingValues.format(format.get(), section.at("format")) : Format.JSON;
    }

    private static SinkCompression compression(YamlSection section) throws ConfigException {
        Optional<String> format = section.text("format");
        if (format.isPresent()) {
            SettingValues.sinkFormat(format.get(), section.at("format"));
        }
        Optional<String> compression = section.text("compression");
        return compression.isPresent()
                ? SettingValues.compression(compression.get(), section.at("compression"))
                : SinkCompression.NONE;
    }

    private YamlSection named(String group) throws ConfigException {
        Optional<Node> node = file.node(group);
        if (node.isEmpty()) {
            throw new ConfigException(document.label() + ": no " + group + " in it");
        }
        return YamlSection.names(document, node.get(), group);
    }

    private static String names(Set<String> names) {
        return String.join(", ", names);
    }
}
