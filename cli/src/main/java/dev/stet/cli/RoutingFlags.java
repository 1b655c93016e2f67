package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.RoutingBuilder;
import dev.stet.config.RoutingBuilder.Names;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import dev.stet.route.RoutingSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The flags that say where records go; the same names as in YAML. */
final class RoutingFlags {
    @Option(
            names = "--namespace-fields",
            paramLabel = "F",
            description = "Fields that name the first folder, comma-separated: the first usable wins.")
    Optional<String> namespaceFields = Optional.empty();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "One fixed first folder instead; default: the last segment of SOURCE. Empty: none.")
    Optional<String> namespace = Optional.empty();

    @Option(
            names = "--batch-partition-fields",
            paramLabel = "A,B",
            description = "Fields of one partition level: the first usable wins. Repeated: one more level each.")
    List<String> batchPartitionFields = List.of();

    @Option(
            names = "--partition-name",
            paramLabel = "N",
            description = "Folder name of a level, whichever field was used. Repeated: one for each level.")
    List<String> partitionName = List.of();

    @Option(
            names = "--partition-prefix",
            paramLabel = "P",
            description = "Before each partition folder; p_ by default.")
    Optional<String> partitionPrefix = Optional.empty();

    @Option(
            names = "--batch-time-fields",
            paramLabel = "A,B",
            description = "Fields that hold the event time: the first that is there decides.")
    Optional<String> batchTimeFields = Optional.empty();

    @Option(
            names = "--batch-time-unit",
            paramLabel = "UNIT",
            completionCandidates = Candidates.Units.class,
            description = "Finest time folder: year, month, day (default), hour or minute. Days are UTC.")
    Optional<String> batchTimeUnit = Optional.empty();

    @Option(
            names = "--time-partition-prefix",
            paramLabel = "P",
            description = "Before each time folder, for instance p_ for p_year=2021; empty by default.")
    Optional<String> timePartitionPrefix = Optional.empty();

    @Option(
            names = "--time-partition-padding",
            paramLabel = "zero|none",
            completionCandidates = Candidates.Paddings.class,
            description = "month=02 (default) or month=2.")
    Optional<String> timePartitionPadding = Optional.empty();

    @Option(
            names = "--on-missing",
            paramLabel = "DIM=FOLDER",
            description = "Folder for records without a namespace, partition or time (DIM), which are quarantined"
                    + " by default. May be repeated.")
    List<String> onMissing = List.of();

    RoutingSettings settings(String defaultNamespace) throws ConfigException {
        RoutingBuilder routing = new RoutingBuilder();
        if (namespaceFields.isPresent()) {
            routing.namespaceFields(SettingValues.fields(namespaceFields.get(), new Setting("--namespace-fields")));
        }
        if (namespace.isPresent()) {
            routing.namespace(namespace.get(), new Setting("--namespace"));
        }
        routing.levels(levels());
        if (!partitionName.isEmpty()) {
            routing.partitionNames(new Names(partitionName, new Setting("--partition-name")));
        }
        if (partitionPrefix.isPresent()) {
            routing.partitionPrefix(
                    SettingValues.folderPrefix(partitionPrefix.get(), new Setting("--partition-prefix")));
        }
        if (batchTimeFields.isPresent()) {
            routing.timeFields(SettingValues.fields(batchTimeFields.get(), new Setting("--batch-time-fields")));
        }
        if (batchTimeUnit.isPresent()) {
            routing.timeUnit(SettingValues.timeUnit(batchTimeUnit.get(), new Setting("--batch-time-unit")));
        }
        if (timePartitionPrefix.isPresent()) {
            routing.timePrefix(
                    SettingValues.folderPrefix(timePartitionPrefix.get(), new Setting("--time-partition-prefix")));
        }
        if (timePartitionPadding.isPresent()) {
            routing.padded(SettingValues.padded(timePartitionPadding.get(), new Setting("--time-partition-padding")));
        }
        onMissing(routing);
        return routing.build(defaultNamespace);
    }

    private List<List<String>> levels() throws ConfigException {
        List<List<String>> levels = new ArrayList<>();
        for (String fields : batchPartitionFields) {
            List<String> level = SettingValues.fields(fields, new Setting("--batch-partition-fields"));
            if (!level.isEmpty()) {
                levels.add(level);
            }
        }
        return List.copyOf(levels);
    }

    private void onMissing(RoutingBuilder routing) throws ConfigException {
        Setting setting = new Setting("--on-missing");
        for (String pair : onMissing) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw setting.error(SettingValues.quote(pair)
                        + " is not DIM=FOLDER, for instance partition=__HIVE_DEFAULT_PARTITION__");
            }
            routing.onMissing(pair.substring(0, equals), pair.substring(equals + 1), setting);
        }
    }
}
