package dev.stet.registry;

import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.Locations;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import dev.stet.config.SinkCompression;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Sources and sinks of the contract: a URI or path, or the structured form {@code {"S3": {…}}} or {@code {"File": {…}}}. A URI of any other scheme is the
 * place of another engine's, of which nothing is known here.
 */
final class Places {
    private Places() {}

    record Source(Location location, Format format) {}

    record Sink(Location location, SinkCompression compression) {}

    /** Whether the engine can read or write there. */
    static boolean canCopy(JsonNode place) {
        if (!place.isString()) {
            return true;
        }
        String lower = place.asString().toLowerCase(Locale.ROOT);
        int scheme = lower.indexOf("://");
        boolean uri = scheme > 0 && lower.indexOf('/') == scheme + 1;
        return !uri || lower.startsWith("s3://") || lower.startsWith("file:///");
    }

    /** What is stored is shown to whoever may look: no secret belongs into it. */
    static void requireNoPassword(JsonNode place, Setting setting) throws ConfigException {
        String text = place.asString("");
        int begin = text.indexOf("://");
        if (begin < 0) {
            return;
        }
        String rest = text.substring(begin + 3);
        int end = rest.indexOf('/');
        String authority = end < 0 ? rest : rest.substring(0, end);
        int at = authority.lastIndexOf('@');
        if (at >= 0 && authority.substring(0, at).contains(":")) {
            throw setting.error(
                    "holds a password, which everyone who may describe the pipeline would see; leave it out");
        }
    }

    static boolean isS3(JsonNode place) {
        return place.isString() ? place.asString().toLowerCase(Locale.ROOT).startsWith("s3://") : place.has("S3");
    }

    /** As people write it. */
    static String text(JsonNode place) {
        if (place.isString()) {
            return place.asString();
        }
        JsonNode s3 = place.path("S3");
        return s3.isObject()
                ? "s3://" + s3.path("s3Bucket").asString("") + "/"
                        + s3.path("s3Prefix").asString("")
                : place.path("File")
                        .path("path")
                        .asString(place.path("File").path("outputDir").asString(""));
    }

    /** The same place with directories absolute, so that it means the same from wherever it is run. */
    static JsonNode absolute(JsonNode place, Path workingDirectory, Setting setting) throws ConfigException {
        if (!canCopy(place)) {
            return place;
        }
        if (place.isString()) {
            return Locations.parse(place.asString(), workingDirectory, setting) instanceof Location.Directory d
                    ? StringNode.valueOf(d.path().toString())
                    : place;
        }
        ObjectNode copy = (ObjectNode) place.deepCopy();
        for (String key : new String[] {"path", "outputDir"}) {
            if (copy.path("File") instanceof ObjectNode file && file.has(key)) {
                Path path = Locations.path(
                        file.get(key).asString(), workingDirectory, new Setting(setting.where() + ".File." + key));
                file.put(key, path.toString());
            }
        }
        return copy;
    }

    static Source source(JsonNode place, Path workingDirectory, Setting setting) throws ConfigException {
        if (place.isString()) {
            return new Source(Locations.parse(place.asString(), workingDirectory, setting), Format.JSON);
        }
        Settings options = options(place, setting);
        Optional<String> format = options.text("format");
        return new Source(
                location(place, options, "path", workingDirectory),
                format.isPresent() ? SettingValues.format(format.get(), options.at("format")) : Format.JSON);
    }

    static Sink sink(JsonNode place, Path workingDirectory, Setting setting) throws ConfigException {
        if (place.isString()) {
            return new Sink(Locations.parse(place.asString(), workingDirectory, setting), SinkCompression.NONE);
        }
        Settings options = options(place, setting);
        Optional<String> format = options.text("format");
        if (format.isPresent()) {
            SettingValues.sinkFormat(format.get(), options.at("format"));
        }
        Optional<String> compression = options.text("compression");
        return new Sink(
                location(place, options, "outputDir", workingDirectory),
                compression.isPresent()
                        ? SettingValues.compression(compression.get(), options.at("compression"))
                        : SinkCompression.NONE);
    }

    private static Settings options(JsonNode place, Setting setting) {
        String kind = place.has("S3") ? "S3" : "File";
        return new Settings(place.get(kind), setting.where() + "." + kind + ".");
    }

    private static Location location(JsonNode place, Settings options, String directory, Path workingDirectory)
            throws ConfigException {
        if (!place.has("S3")) {
            return Locations.directory(options.text(directory).orElse(""), workingDirectory, options.at(directory));
        }
        return Locations.s3(
                options.text("s3Bucket").orElse(""),
                options.text("s3Prefix").orElse(""),
                options.text("region"),
                options.text("endpointUrl"),
                options.flag("requesterPays"),
                options.at("s3Bucket"));
    }
}
