package dev.stet.functions;

import dev.stet.registry.Run;
import dev.stet.stage.StagingKeys;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The tasks and results of runs in staging. A week after a run has ended they go; its report stays. What functions were killed over while they wrote it goes after a day, which none of
 * them lives: all but bundles and manifests, which are the ledger's to tell of.
 */
final class RunFiles {
    private static final Duration KEPT = Duration.ofDays(7);
    private static final String RUNS = "runs/";
    private static final Duration LONGER_THAN_ANY_WORKER = Duration.ofDays(1);
    private static final List<String> WRITTEN_BY_FUNCTIONS = List.of(RUNS, "reports/", StagingKeys.PLANS, "headers/");

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
        site.staging()
                .abortUploads(
                        key -> WRITTEN_BY_FUNCTIONS.stream().anyMatch(key::startsWith) && !Round.isResult(key),
                        clock.instant().minus(LONGER_THAN_ANY_WORKER));
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
