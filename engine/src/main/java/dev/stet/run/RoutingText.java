package dev.stet.run;

import dev.stet.config.PipelineConfig;
import dev.stet.route.RoutingSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The settings that decide where records go, as text: the ledger keeps it to notice changes. One setting a line. */
final class RoutingText {
    private RoutingText() {}

    static String of(PipelineConfig p) {
        RoutingSettings r = p.routing();
        List<String> lines = new ArrayList<>();
        lines.add("record_field_path: " + p.recordFieldPath().orElse(""));
        lines.add("namespace_fields: " + String.join(",", r.namespaceFields()));
        lines.add("namespace: " + (r.namespaceFields().isEmpty() ? r.fixedNamespace() : ""));
        lines.add("batch_partition_fields: " + levels(r.levels()));
        lines.add("partition_prefix: " + r.partitionPrefix());
        lines.add("batch_time_fields: " + String.join(",", r.timeFields()));
        lines.add("batch_time_unit: " + r.timeUnit());
        lines.add("time_partition_prefix: " + r.timePrefix());
        lines.add("time_partition_padding: " + r.padded());
        lines.add("on_missing: " + r.onMissing());
        new TreeMap<>(r.overrides())
                .forEach((namespace, o) -> lines.add(
                        "overrides " + namespace + ": " + o.levels().map(RoutingText::levels) + " " + o.timeFields()));
        return String.join("\n", lines);
    }

    private static String levels(List<RoutingSettings.PartitionLevel> levels) {
        List<String> texts = new ArrayList<>();
        for (RoutingSettings.PartitionLevel level : levels) {
            texts.add(String.join(",", level.fields())
                    + level.name().map(n -> " as " + n).orElse(""));
        }
        return String.join(" / ", texts);
    }

    /** The first setting that differs, for a message. */
    static String difference(String before, String now) {
        String[] a = before.split("\n", -1);
        String[] b = now.split("\n", -1);
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            if (!a[i].equals(b[i])) {
                return "now " + b[i] + ", before " + a[i];
            }
        }
        return "overrides differ";
    }
}
