package dev.stet.route;

import dev.stet.record.FieldPaths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings in the form a router works with: paths by number, folder names encoded. Immutable but for its arrays, which nobody writes to.
 *
 * @param maxFolders how many folders a path may have, time folders apart
 */
record RoutingPlan(
        FieldPaths paths,
        int[] namespacePaths,
        byte[] fixedNamespace,
        NamespaceFields fixedFields,
        byte[] missingNamespace,
        NamespaceFields missingFields,
        NamespaceTable overrides,
        int maxFolders) {

    static RoutingPlan of(RoutingSettings settings) {
        return new Builder(settings).build();
    }

    /** The fields of the namespace that is encoded as {@code folder[0, length)}. */
    NamespaceFields fields(byte[] folder, int length) {
        return overrides.find(folder, length);
    }

    /** Numbers the paths as it meets them. */
    private static final class Builder {
        private final RoutingSettings settings;
        private final Map<String, Integer> numbers = new LinkedHashMap<>();

        Builder(RoutingSettings settings) {
            this.settings = settings;
        }

        RoutingPlan build() {
            int[] namespacePaths = numbers(settings.namespaceFields());
            var general = fields(settings.levels(), settings.timeFields());
            var entries = settings.overrides().entrySet().stream()
                    .filter(entry -> !entry.getKey().isEmpty())
                    .sorted(Map.Entry.comparingByKey())
                    .map(entry -> new NamespaceTable.Entry(Encoded.namespace(entry.getKey()), override(entry.getValue())))
                    .toList();
            var table = new NamespaceTable(entries, general);
            String missing = settings.onMissing().namespace().orElse("");
            byte[] fixed = Encoded.folder(Encoded.namespace(settings.fixedNamespace()));
            byte[] overriddenMissing = Encoded.folder(Encoded.namespace(missing));
            return new RoutingPlan(
                    new FieldPaths(List.copyOf(numbers.keySet())),
                    namespacePaths,
                    fixed,
                    table.find(fixed, fixed.length),
                    Encoded.folder(Encoded.missingNamespace(missing)),
                    table.find(overriddenMissing, overriddenMissing.length),
                    table,
                    1 + levelCounts().max(Integer::compare).orElse(0));
        }

        private Stream<Integer> levelCounts() {
            var overridden = settings.overrides().values().stream()
                    .flatMap(override -> override.levels().stream())
                    .map(List::size);
            return Stream.concat(Stream.of(settings.levels().size()), overridden);
        }

        private NamespaceFields override(RoutingSettings.Override override) {
            return fields(
                    override.levels().orElse(settings.levels()),
                    override.timeFields().orElse(settings.timeFields()));
        }

        private NamespaceFields fields(List<RoutingSettings.PartitionLevel> levels, List<String> timeFields) {
            return new NamespaceFields(levels.stream().map(this::level).toList(), numbers(timeFields));
        }

        private LevelFields level(RoutingSettings.PartitionLevel level) {
            if (level.fields().isEmpty()) {
                throw new IllegalArgumentException("a partition level names no field");
            }
            byte[][] prefixes = level.fields().stream()
                    .map(field -> prefix(level.name().orElse(field)))
                    .map(Encoded::folder)
                    .toArray(byte[][]::new);
            String first = prefix(level.name().orElse(level.fields().getFirst()));
            Optional<String> missing =
                    settings.onMissing().partition().map(Encoded::text).map(first::concat);
            return new LevelFields(numbers(level.fields()), prefixes, Encoded.folder(missing.orElse("")));
        }

        private String prefix(String name) {
            return Encoded.text(settings.partitionPrefix() + name) + "=";
        }

        private int[] numbers(List<String> paths) {
            return paths.stream()
                    .mapToInt(path -> numbers.computeIfAbsent(path, unused -> numbers.size()))
                    .toArray();
        }
    }
}
