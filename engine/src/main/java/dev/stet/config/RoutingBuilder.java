package dev.stet.config;

import dev.stet.route.RoutingSettings;
import dev.stet.route.RoutingSettings.OnMissing;
import dev.stet.route.RoutingSettings.PartitionLevel;
import dev.stet.route.TimeUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects routing settings, from YAML or from flags, and checks how they fit together. What is not set has the default of design §7. */
public final class RoutingBuilder {
    /** Folder names of partition levels as given, and where. One empty name means none for any number of levels. */
    public record Names(List<String> names, Setting setting) {
        public Names {
            names = List.copyOf(names);
        }

        boolean none() {
            return names.equals(List.of(""));
        }
    }

    /** Settings of one namespace, as given; what is empty is as for all. */
    public record OverrideInput(
            Optional<List<List<String>>> levels, Optional<Names> names, Optional<List<String>> timeFields) {}

    private List<String> namespaceFields = List.of();
    private Optional<String> namespace = Optional.empty();
    private Optional<Setting> namespaceSetting = Optional.empty();
    private List<List<String>> levels = List.of();
    private Optional<Names> names = Optional.empty();
    private String partitionPrefix = "p_";
    private List<String> timeFields = List.of();
    private TimeUnit timeUnit = TimeUnit.DAY;
    private String timePrefix = "";
    private boolean padded = true;
    private final Map<String, OverrideInput> overrides = new LinkedHashMap<>();
    private OnMissing onMissing = OnMissing.QUARANTINE;

    public RoutingBuilder namespaceFields(List<String> fields) {
        namespaceFields = fields;
        return this;
    }

    /** A fixed namespace; empty: no namespace level. */
    public RoutingBuilder namespace(String name, Setting setting) {
        namespace = Optional.of(name);
        namespaceSetting = Optional.of(setting);
        return this;
    }

    /** Partition levels, outermost first, each a list of alternatives. */
    public RoutingBuilder levels(List<List<String>> fields) {
        levels = fields;
        return this;
    }

    public RoutingBuilder partitionNames(Names given) {
        names = Optional.of(given);
        return this;
    }

    public RoutingBuilder partitionPrefix(String prefix) {
        partitionPrefix = prefix;
        return this;
    }

    public RoutingBuilder timeFields(List<String> fields) {
        timeFields = fields;
        return this;
    }

    public RoutingBuilder timeUnit(TimeUnit unit) {
        timeUnit = unit;
        return this;
    }

    public RoutingBuilder timePrefix(String prefix) {
        timePrefix = prefix;
        return this;
    }

    public RoutingBuilder padded(boolean pad) {
        padded = pad;
        return this;
    }

    public RoutingBuilder override(String forNamespace, OverrideInput input) {
        overrides.put(forNamespace, input);
        return this;
    }

    /**
     * The folder for records that lack a dimension.
     *
     * @param dimension {@code namespace}, {@code partition} or {@code time}
     * @param value {@code quarantine} or a folder
     */
    public RoutingBuilder onMissing(String dimension, String value, Setting setting) throws ConfigException {
        Optional<String> folder = SettingValues.onMissing(value, setting);
        onMissing = switch (dimension) {
            case "namespace" -> new OnMissing(folder, onMissing.partition(), onMissing.time());
            case "partition" -> new OnMissing(onMissing.namespace(), folder, onMissing.time());
            case "time" -> new OnMissing(onMissing.namespace(), onMissing.partition(), folder);
            default ->
                throw setting.error(SettingValues.quote(dimension) + " is not one of namespace, partition, time");
        };
        return this;
    }

    /**
     * The settings, complete.
     *
     * @param defaultNamespace the fixed namespace where neither fields nor a name are set
     */
    public RoutingSettings build(String defaultNamespace) throws ConfigException {
        if (!namespaceFields.isEmpty() && namespaceSetting.isPresent()) {
            throw namespaceSetting
                    .get()
                    .error("a fixed namespace and namespace_fields exclude each other;"
                            + " a folder for records without one is on_missing");
        }
        Map<String, RoutingSettings.Override> built = new LinkedHashMap<>();
        for (Map.Entry<String, OverrideInput> entry : overrides.entrySet()) {
            built.put(entry.getKey(), override(entry.getValue()));
        }
        // One name may stand for levels that only overrides have.
        boolean named = overrides.values().stream().anyMatch(o -> o.levels().isPresent());
        return new RoutingSettings(
                namespaceFields,
                namespaceFields.isEmpty() ? namespace.orElse(defaultNamespace) : "",
                levels.isEmpty() && named ? List.of() : named(levels, names),
                partitionPrefix,
                timeFields,
                timeUnit,
                timePrefix,
                padded,
                built,
                onMissing);
    }

    private RoutingSettings.Override override(OverrideInput input) throws ConfigException {
        Optional<List<PartitionLevel>> own = Optional.empty();
        if (input.levels().isPresent() || input.names().isPresent()) {
            own = Optional.of(named(input.levels().orElse(levels), input.names().isPresent() ? input.names() : names));
        }
        return new RoutingSettings.Override(own, input.timeFields().map(List::copyOf));
    }

    private static List<PartitionLevel> named(List<List<String>> levels, Optional<Names> given) throws ConfigException {
        List<PartitionLevel> named = new ArrayList<>();
        boolean bare = given.isEmpty() || given.get().none();
        if (!bare && levels.isEmpty()) {
            throw given.get().setting().error("names the folders of batch_partition_fields, which is not set");
        }
        if (!bare && given.get().names().size() != levels.size()) {
            throw given.get()
                    .setting()
                    .error("%d name(s) for %d partition level(s); give one for each"
                            .formatted(given.get().names().size(), levels.size()));
        }
        for (int i = 0; i < levels.size(); i++) {
            String name = bare ? "" : given.get().names().get(i);
            named.add(new PartitionLevel(levels.get(i), name.isEmpty() ? Optional.empty() : Optional.of(name)));
        }
        return List.copyOf(named);
    }
}
