package dev.stet.aws.s3;

import dev.stet.aws.AwsAccess;
import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.run.Stores;
import dev.stet.store.StoreException;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** S3 for the engine's runs. Nothing of the SDK is loaded before the first location in S3 is opened. Thread-safe. */
public final class S3Stores implements Stores, Closeable {
    private record Opened(AwsAccess access, S3Clients clients) {}

    private final StoreOptions options;
    private final Supplier<AwsAccess> access;
    private Optional<Opened> opened = Optional.empty();

    /** With the SDK's own settings and the default options. */
    public S3Stores() {
        this(StoreOptions.DEFAULT);
    }

    public S3Stores(StoreOptions options) {
        this(options, AwsAccess::withDefaults);
    }

    /** Opens nothing yet. @param access is asked once, for the first location, and closed with this object */
    public S3Stores(StoreOptions options, Supplier<AwsAccess> access) {
        this.options = options;
        this.access = access;
    }

    @Override
    public S3Source source(Location.S3 location) throws ConfigException {
        return opened().clients().source(location);
    }

    @Override
    public S3Store store(Location.S3 location) throws ConfigException {
        return opened().clients().store(location, options);
    }

    @Override
    public void preflight(Remote places, Consumer<String> notes) throws ConfigException, StoreException {
        if (places.source().isEmpty()
                && places.sink().isEmpty()
                && places.staging().isEmpty()) {
            return;
        }
        List<Finding> findings = findings(new S3Preflight(opened().clients()), places);
        findings.stream().filter(f -> !f.stops()).map(Finding::text).forEach(notes);
        List<String> stops =
                findings.stream().filter(Finding::stops).map(Finding::text).toList();
        if (!stops.isEmpty()) {
            throw new StoreException(oneLine(stops));
        }
    }

    private List<Finding> findings(S3Preflight preflight, Remote places) throws ConfigException {
        List<Finding> findings = new ArrayList<>();
        if (places.source().isPresent()) {
            findings.addAll(preflight.source(places.source().get()));
        }
        if (places.sink().isPresent() && answered(findings)) {
            findings.addAll(preflight.writable(places.sink().get(), options));
        }
        if (places.staging().isPresent() && answered(findings)) {
            findings.addAll(preflight.staging(places.staging().get(), options));
        }
        return findings;
    }

    private static boolean answered(List<Finding> findings) {
        return findings.stream().noneMatch(f -> f.kind() == Finding.Kind.NO_ANSWER);
    }

    /** Several places with one trouble are named together: {@code s3://a, s3://b: there is no such bucket}. */
    private static String oneLine(List<String> texts) {
        Map<String, Set<String>> placesByTrouble = new LinkedHashMap<>();
        for (String text : texts) {
            int colon = text.indexOf(": ");
            placesByTrouble
                    .computeIfAbsent(text.substring(Math.max(colon, 0)), _ -> new LinkedHashSet<>())
                    .add(text.substring(0, Math.max(colon, 0)));
        }
        return placesByTrouble.entrySet().stream()
                .map(e -> String.join(", ", e.getValue()) + e.getKey())
                .collect(Collectors.joining("; "));
    }

    private synchronized Opened opened() {
        if (opened.isEmpty()) {
            AwsAccess first = access.get();
            opened = Optional.of(new Opened(first, new S3Clients(first)));
        }
        return opened.get();
    }

    @Override
    public synchronized void close() {
        opened.ifPresent(o -> {
            o.clients().close();
            o.access().close();
        });
        opened = Optional.empty();
    }
}
