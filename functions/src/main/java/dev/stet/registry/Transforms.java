package dev.stet.registry;

import dev.stet.config.ConfigException;
import dev.stet.config.RoutingBuilder;
import dev.stet.config.RoutingBuilder.Names;
import dev.stet.config.RoutingBuilder.OverrideInput;
import dev.stet.config.SettingValues;
import dev.stet.route.RoutingSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A pipeline's {@code transform} as routing settings. */
final class Transforms {
    private Transforms() {}

    static RoutingSettings routing(Settings transform, String defaultNamespace) throws ConfigException {
        RoutingBuilder routing = new RoutingBuilder();
        transform.fields("namespaceFields").ifPresent(routing::namespaceFields);
        transform.text("namespace").ifPresent(n -> routing.namespace(n, transform.at("namespace")));
        transform.levels("batchPartitionFields").ifPresent(routing::levels);
        names(transform).ifPresent(routing::partitionNames);
        Optional<String> partitionPrefix = transform.text("partitionPrefix");
        if (partitionPrefix.isPresent()) {
            routing.partitionPrefix(SettingValues.folderPrefix(partitionPrefix.get(), transform.at("partitionPrefix")));
        }
        transform.fields("batchTimeFields").ifPresent(routing::timeFields);
        Optional<String> unit = transform.text("batchTimeUnit");
        if (unit.isPresent()) {
            routing.timeUnit(SettingValues.timeUnit(unit.get(), transform.at("batchTimeUnit")));
        }
        Optional<String> timePrefix = transform.text("timePartitionPrefix");
        if (timePrefix.isPresent()) {
            routing.timePrefix(SettingValues.folderPrefix(timePrefix.get(), transform.at("timePartitionPrefix")));
        }
        Optional<String> padding = transform.text("timePartitionPadding");
        if (padding.isPresent()) {
            routing.padded(SettingValues.padded(padding.get(), transform.at("timePartitionPadding")));
        }
        overrides(transform, routing);
        onMissing(transform, routing);
        return routing.build(defaultNamespace);
    }

    private static Optional<Names> names(Settings settings) {
        Optional<List<String>> names = settings.texts("partitionName");
        return names.map(n -> new Names(n, settings.at("partitionName")));
    }

    private static void overrides(Settings transform, RoutingBuilder routing) throws ConfigException {
        Optional<JsonNode> overrides = transform.node("overrides");
        if (overrides.isEmpty()) {
            return;
        }
        for (Map.Entry<String, JsonNode> entry : overrides.get().properties()) {
            Settings override = new Settings(entry.getValue(), "transform.overrides." + entry.getKey() + ".");
            routing.override(
                    entry.getKey(),
                    new OverrideInput(
                            override.levels("batchPartitionFields"),
                            names(override),
                            override.fields("batchTimeFields")));
        }
    }

    private static void onMissing(Settings transform, RoutingBuilder routing) throws ConfigException {
        Optional<JsonNode> folders = transform.node("onMissing");
        if (folders.isEmpty()) {
            return;
        }
        Settings settings = new Settings(folders.get(), "transform.onMissing.");
        for (Map.Entry<String, JsonNode> entry : folders.get().properties()) {
            routing.onMissing(entry.getKey(), entry.getValue().asString(), settings.at(entry.getKey()));
        }
    }
}
