package dev.stet.functions;

import dev.stet.registry.Run;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The tasks and results of runs in staging. A week after a run has ended they go; its report stays. */
final class RunFiles {
    private static final Duration KEPT = Duration.ofDays(7);
    private static final String RUNS = "runs/";

    private final Site site;
    private final Registry registry;
    private final Clock clock;
    private final Map<String, Boolean> over = new HashMap<>();

    RunFiles(Site site, Registry registry, Clock clock) {
        this.site = site;
        this.registry = registry;
        this.clock = clock;
    }

    /** Deletes what nobody needs. @param stop asked between files; the next sweep goes on */
    void sweep(BooleanSupplier stop) throws IOException {
        try (ObjectListing listing = site.staging().list(new KeyRange(RUNS, Optional.of("runs0")))) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent() && !stop.getAsBoolean(); e = listing.next()) {
                String key = e.get().key();
                if (isOver(key.substring(RUNS.length(), key.indexOf('/', RUNS.length())))) {
                    site.staging().delete(key);
                }
            }
        }
    }

    private boolean isOver(String runId) throws IOException {
        Boolean known = over.get(runId);
        if (known == null) {
            Optional<Run> run = registry.runs().find(runId);
            known = run.flatMap(Run::endedAt)
                    .map(at -> at.plus(KEPT).isBefore(clock.instant()))
                    .orElse(false);
            over.put(runId, known);
        }
        return known;
    }
}
