package dev.stet.route;

import dev.stet.record.FieldPaths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The settings in the form a router works with: paths by number, folder names encoded. Its arrays are shared and never written to. */
final class RoutingPlan {
    private final RoutingSettings settings;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final int[] namespacePaths;
    private final NamespaceTable fields;
    private final byte[] fixedNamespace;
    private final byte[] missingNamespace;

    RoutingPlan(RoutingSettings settings) {
        this.settings = settings;
        namespacePaths = numbers(settings.namespaceFields());
        var general = fields(settings.levels(), settings.timeFields());
        fields = new NamespaceTable(overrides(), general);
        fixedNamespace = Encoded.folder(Encoded.namespace(settings.fixedNamespace()));
        missingNamespace = settings.onMissing()
                .namespace()
                .map(name -> Encoded.folder(Encoded.missingNamespace(name)))
                .orElse(new byte[0]);
    }

    /** Every path of the settings, once. Its place is its number. */
    FieldPaths paths() {
        return new FieldPaths(List.copyOf(numbers.keySet()));
    }

    /** Alternatives for the namespace; none: it is fixed. */
    int[] namespacePaths() {
        return namespacePaths;
    }

    /** The folder of every record if the namespace is fixed; empty: no namespace level. */
    byte[] fixedNamespace() {
        return fixedNamespace;
    }

    NamespaceFields fixedFields() {
        return fields.find(fixedNamespace, fixedNamespace.length);
    }

    /** The folder of records that lack a namespace; empty: they are refused. */
    byte[] missingNamespace() {
        return missingNamespace;
    }

    /** Fields of the default folder: overrides go by the name that was set for it, before anything is masked. */
    NamespaceFields missingFields() {
        byte[] folder =
                Encoded.ascii(Encoded.namespace(settings.onMissing().namespace().orElse("")));
        return fields.find(folder, folder.length);
    }

    /** Fields of the namespace that is encoded as {@code folder[0, length)}. */
    NamespaceFields fields(byte[] folder, int length) {
        return fields.find(folder, length);
    }

    /** How many folders a path may have, time folders apart. */
    int maxFolders() {
        var overridden = settings.overrides().values().stream()
                .flatMap(override -> override.levels().stream())
                .map(List::size);
        return 1
                + Stream.concat(Stream.of(settings.levels().size()), overridden)
                        .max(Integer::compare)
                        .orElse(0);
    }

    private List<NamespaceTable.Entry> overrides() {
        return settings.overrides().entrySet().stream()
                .filter(entry -> !entry.getKey().isEmpty())
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new NamespaceTable.Entry(Encoded.namespace(entry.getKey()), override(entry.getValue())))
                .toList();
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
        var prefixes = level.fields().stream()
                .map(field -> prefix(level.name().orElse(field)))
                .toList();
        byte[] missing = settings.onMissing()
                .partition()
                .map(name -> Encoded.folder(prefixes.getFirst() + Encoded.text(name)))
                .orElse(new byte[0]);
        return new LevelFields(
                numbers(level.fields()), prefixes.stream().map(Encoded::folder).toArray(byte[][]::new), missing);
    }

    private String prefix(String name) {
        return Encoded.text(settings.partitionPrefix() + name) + "=";
    }

    private int[] numbers(List<String> paths) {
        return paths.stream()
                .mapToInt(path -> numbers.computeIfAbsent(path, _ -> numbers.size()))
                .toArray();
    }
}
