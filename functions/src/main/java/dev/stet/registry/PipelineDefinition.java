package dev.stet.registry;

import dev.stet.config.ConfigException;
import dev.stet.config.ConfigFile;
import dev.stet.config.LocationCheck;
import dev.stet.config.Locations;
import dev.stet.config.PipelineConfig;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.config.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * What a pipeline is, in the fields of the contract: {@code name, source, sink, type, transform} and when and what it copies and lands. Immutable: its JSON is
 * copied in and out.
 */
public final class PipelineDefinition {
    /** The type of pipelines that the engine runs. */
    public static final String COPY = "copy";
    /** The type of the others, where none is given: another engine runs them, and reports. */
    public static final String EXTERNAL = "external";

    /** The fields of a request that define the pipeline, in the order in which they are shown. */
    static final List<String> FIELDS = List.of(
            "name",
            "source",
            "sink",
            "type",
            "transform",
            "include",
            "exclude",
            "bufferThresholdSeconds",
            "bufferThresholdBytes",
            "maxObjectBytes");

    private final ObjectNode json;

    private PipelineDefinition(ObjectNode json) {
        this.json = json;
    }

    /** A definition as it was stored. */
    static PipelineDefinition stored(JsonNode json) {
        return new PipelineDefinition((ObjectNode) json.deepCopy());
    }

    /**
     * The definition that a request of the contract's form gives: with its type, and directories made absolute.
     *
     * @param workingDirectory what relative directories are relative to
     * @throws RegistryException naming the field that cannot be so
     */
    public static PipelineDefinition of(ObjectNode request, Path workingDirectory) throws RegistryException {
        ObjectNode json = Json.object();
        for (String field : FIELDS) {
            Optional<JsonNode> value = request.optional(field);
            value.ifPresent(v -> json.set(field, v));
        }
        try {
            json.set("source", Places.absolute(request.get("source"), workingDirectory, new Setting("source")));
            json.set("sink", Places.absolute(request.get("sink"), workingDirectory, new Setting("sink")));
            Places.requireNoPassword(json.get("source"), new Setting("source"));
            Places.requireNoPassword(json.get("sink"), new Setting("sink"));
            boolean copy = Places.canCopy(json.get("source")) && Places.canCopy(json.get("sink"));
            json.put("type", type(request.optional("type").map(JsonNode::asString), copy));
            PipelineDefinition definition = new PipelineDefinition(json);
            if (copy) {
                requireTransform(request.optional("transform"));
                PipelineConfig config = definition.config();
                requireApart(config);
            }
            return definition;
        } catch (ConfigException e) {
            throw invalid(e);
        }
    }

    /** The fields of a request for a pipeline of these settings: all but its name. */
    public static ObjectNode fields(PipelineConfig config) {
        return DefinitionWriter.fields(config);
    }

    /** Whether the engine can read or write at a place written so. */
    public static boolean canCopy(String place) {
        return Places.canCopy(StringNode.valueOf(place));
    }

    /** As a run would find, but at once. */
    private static void requireApart(PipelineConfig config) throws ConfigException {
        try {
            LocationCheck.apart(config.source(), config.sink());
        } catch (ConfigException e) {
            throw new Setting("sink").error(String.valueOf(e.getMessage()));
        }
    }

    private static String type(Optional<String> given, boolean copy) throws ConfigException {
        String type = given.orElse(copy ? COPY : EXTERNAL);
        if (copy && !type.equals(COPY)) {
            throw new Setting("type").error("it is copy when both ends are directories or s3://; leave it out");
        }
        if (!copy && type.equals(COPY)) {
            throw new Setting("type")
                    .error(
                            "stet copies between directories and s3:// only; leave the type out and report runs with ReportRun");
        }
        return type;
    }

    /** A pipeline runs unattended for years: that all records go to one folder must have been said, not forgotten. */
    private static void requireTransform(Optional<JsonNode> transform) throws ConfigException {
        List<String> some = List.of("namespaceFields", "namespace", "batchPartitionFields", "batchTimeFields");
        if (transform.isEmpty() || some.stream().noneMatch(f -> transform.get().has(f))) {
            throw new Setting("transform")
                    .error(
                            "a copy pipeline must say where records go; missing: transform.namespaceFields (or transform.namespace),"
                                    + " transform.batchPartitionFields, transform.batchTimeFields");
        }
    }

    /** A message of a setting begins with its name. */
    private static RegistryException invalid(ConfigException e) {
        String message = String.valueOf(e.getMessage());
        int colon = message.indexOf(": ");
        return RegistryException.invalid(colon < 0 ? "" : message.substring(0, colon), message);
    }

    public String name() {
        return json.get("name").asString();
    }

    public String type() {
        return json.get("type").asString();
    }

    /** Whether the engine runs it. */
    public boolean isCopy() {
        return type().equals(COPY);
    }

    /** As people write it. */
    public String sourceText() {
        return Places.text(json.get("source"));
    }

    /** As people write it. */
    public String sinkText() {
        return Places.text(json.get("sink"));
    }

    /** Whether both ends are in S3, so that any machine can run it. */
    public boolean isS3Only() {
        return Places.isS3(json.get("source")) && Places.isS3(json.get("sink"));
    }

    public ObjectNode json() {
        return json.deepCopy();
    }

    /**
     * The settings the engine runs. The pipeline is known by its name and sink.
     *
     * @throws ConfigException for a pipeline that is not of type copy
     */
    public PipelineConfig config() throws ConfigException {
        Path root = Path.of("/"); // places are absolute
        Places.Source source = Places.source(json.get("source"), root, new Setting("source"));
        Places.Sink sink = Places.sink(json.get("sink"), root, new Setting("sink"));
        Settings settings = new Settings(json, "");
        Optional<JsonNode> transform = json.optional("transform");
        Settings within = new Settings(transform.orElse(Json.object()), "transform.");
        return new PipelineConfig(
                Optional.of(ConfigFile.DEFAULT_WORKSPACE),
                Optional.of(name()),
                source.location(),
                source.format(),
                settings.texts("include").orElse(List.of()),
                settings.texts("exclude").orElse(List.of()),
                within.text("recordFieldPath").filter(p -> !p.isEmpty()),
                Transforms.routing(within, Locations.lastSegment(source.location())),
                sink.location(),
                sink.compression(),
                new LandingPolicy(
                        settings.number("bufferThresholdSeconds").orElse(LandingPolicy.DEFAULT_BUFFER_SECONDS),
                        settings.size("bufferThresholdBytes"),
                        settings.size("maxObjectBytes").orElse(LandingPolicy.DEFAULT_MAX_OBJECT_BYTES)));
    }

    /** What changing to {@code next} means for what was copied: one sentence for each end that moved. */
    List<String> consequencesOf(PipelineDefinition next) {
        List<String> sentences = new ArrayList<>();
        if (!json.get("source").equals(next.json.get("source"))) {
            sentences.add("The source changed: offsets are kept for each source, so the next run copies everything in "
                    + next.sourceText() + "; what came from " + sourceText() + " stays where it landed.");
        }
        if (!json.get("sink").equals(next.json.get("sink"))) {
            sentences.add("The sink changed: offsets belong to a sink, so the next run copies the whole source to "
                    + next.sinkText() + "; what waits to land goes to " + sinkText()
                    + " only if the pipeline is pointed there again.");
        }
        if (!json.path("transform").equals(next.json.path("transform"))) {
            sentences.add(
                    "The transform changed: it applies to what is copied from now on; what has landed stays as it is.");
        }
        return sentences;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof PipelineDefinition other && json.equals(other.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return Json.text(json);
    }
}
