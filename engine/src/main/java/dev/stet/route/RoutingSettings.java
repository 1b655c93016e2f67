package dev.stet.route;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How records find their partition (design §7). Field lists are alternatives: the first usable wins.
 *
 * @param namespaceFields empty: the namespace is fixed
 * @param fixedNamespace used when there are no namespace fields; empty: no namespace level
 * @param levels partition levels, outermost first; may be empty
 * @param timeFields empty: no time folders
 * @param overrides by namespace (decoded): other levels or time fields for it
 */
public record RoutingSettings(
        List<String> namespaceFields,
        String fixedNamespace,
        List<PartitionLevel> levels,
        String partitionPrefix,
        List<String> timeFields,
        TimeUnit timeUnit,
        String timePrefix,
        boolean padded,
        Map<String, Override> overrides,
        OnMissing onMissing) {

    public RoutingSettings {
        namespaceFields = List.copyOf(namespaceFields);
        levels = List.copyOf(levels);
        timeFields = List.copyOf(timeFields);
        overrides = Map.copyOf(overrides);
    }

    /** One partition folder. @param name the folder's field name; empty: the path that matched. */
    public record PartitionLevel(List<String> fields, Optional<String> name) {
        public PartitionLevel {
            fields = List.copyOf(fields);
        }
    }

    /** What one namespace has in place of the general setting. */
    public record Override(Optional<List<PartitionLevel>> levels, Optional<List<String>> timeFields) {}

    /** Folder names for records that lack a dimension; empty: they are quarantined (rule book D25). */
    public record OnMissing(Optional<String> namespace, Optional<String> partition, Optional<String> time) {
        public static final OnMissing QUARANTINE = new OnMissing(Optional.empty(), Optional.empty(), Optional.empty());
    }
}
