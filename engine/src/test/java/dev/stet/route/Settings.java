package dev.stet.route;

import dev.stet.route.RoutingSettings.OnMissing;
import dev.stet.route.RoutingSettings.PartitionLevel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds routing settings for tests; begins with those of the cases. */
final class Settings {
    private List<String> namespaceFields = List.of("event_type");
    private String fixedNamespace = "";
    private List<PartitionLevel> levels =
            List.of(level("detail.tenant_id", "truck.tenant_id", "device.tenant_id", "tenant_id"));
    private String partitionPrefix = "p_";
    private List<String> timeFields = List.of("time", "system_datetime", "date");
    private TimeUnit unit = TimeUnit.DAY;
    private String timePrefix = "p_";
    private boolean padded = true;
    private final Map<String, RoutingSettings.Override> overrides = new HashMap<>();
    private OnMissing onMissing = OnMissing.QUARANTINE;

    static PartitionLevel level(String... fields) {
        return new PartitionLevel(List.of(fields), Optional.empty());
    }

    static PartitionLevel named(String name, String... fields) {
        return new PartitionLevel(List.of(fields), Optional.of(name));
    }

    Settings namespaceFields(String... fields) {
        namespaceFields = List.of(fields);
        return this;
    }

    Settings fixedNamespace(String name) {
        namespaceFields = List.of();
        fixedNamespace = name;
        return this;
    }

    Settings levels(PartitionLevel... those) {
        levels = List.of(those);
        return this;
    }

    Settings partitionPrefix(String prefix) {
        partitionPrefix = prefix;
        return this;
    }

    Settings timeFields(String... fields) {
        timeFields = List.of(fields);
        return this;
    }

    Settings unit(TimeUnit finest) {
        unit = finest;
        return this;
    }

    Settings timePrefix(String prefix) {
        timePrefix = prefix;
        return this;
    }

    Settings unpadded() {
        padded = false;
        return this;
    }

    Settings overrideLevels(String namespace, PartitionLevel... those) {
        overrides.put(namespace, new RoutingSettings.Override(Optional.of(Arrays.asList(those)), Optional.empty()));
        return this;
    }

    Settings overrideTime(String namespace, String... fields) {
        overrides.put(namespace, new RoutingSettings.Override(Optional.empty(), Optional.of(List.of(fields))));
        return this;
    }

    Settings onMissing(String namespace, String partition, String time) {
        onMissing = new OnMissing(optional(namespace), optional(partition), optional(time));
        return this;
    }

    private static Optional<String> optional(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    RoutingSettings build() {
        return new RoutingSettings(
                namespaceFields,
                fixedNamespace,
                levels,
                partitionPrefix,
                timeFields,
                unit,
                timePrefix,
                padded,
                overrides,
                onMissing);
    }

    /** Where a router with these settings puts a record: its path, or {@code !reason}. */
    String route(String json) {
        var router = new Router(build());
        return text(router.route(RawRecord.of(json, router.paths())));
    }

    static String text(RouteResult result) {
        return result.routed()
                ? new String(result.pathBytes(), 0, result.pathLength(), java.nio.charset.StandardCharsets.US_ASCII)
                : "!" + result.reason().wireName();
    }
}
