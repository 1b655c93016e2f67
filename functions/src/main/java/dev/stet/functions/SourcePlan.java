package dev.stet.functions;

import dev.stet.aws.s3.StoreOptions;
import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.plan.InventoryPlanner;
import dev.stet.plan.SourcePlanner;
import dev.stet.plan.SourcePlanner.Planned;
import dev.stet.stage.TaskFile;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectStore;
import dev.stet.store.UnknownOutcomeException;
import dev.stet.task.SourceTask;
import java.io.IOException;
import java.util.Optional;

/** Splits a site's source into copy tasks, and its ledger into extents if it has none. */
final class SourcePlan {
    /** Planning waits for listings. */
    private static final int THREADS = 16;

    private static final int SAMPLE_KEYS = 500_000;
    private static final String SCHEME = "s3://";

    private final Site site;
    private final Call call;

    SourcePlan(Site site, Call call) {
        this.site = site;
        this.call = call;
    }

    /** Writes the tasks. @param inventory {@code s3://…/manifest.json} of an S3 Inventory in CSV; empty: by sampled listings */
    Planned write(Optional<String> inventory, TaskFile file) throws IOException, ConfigException {
        Planned planned = inventory.isPresent() ? byInventory(inventory.get(), file) : byListings(file);
        // What there was no time to split is a task as it is: its worker says what is left of it, round by round.
        for (KeyRange left : planned.left()) {
            file.add(new SourceTask.Range(left).toLine());
        }
        extents(planned);
        return planned;
    }

    private Planned byListings(TaskFile file) throws IOException {
        return new SourcePlanner(site.source(), call.settings().taskSize(), THREADS, call.timeIsUp())
                .plan(KeyRange.ALL, file);
    }

    private Planned byInventory(String manifest, TaskFile file) throws IOException, ConfigException {
        String[] parts = manifest.startsWith(SCHEME)
                ? manifest.substring(SCHEME.length()).split("/", 2)
                : new String[0];
        if (parts.length != 2 || !(site.pipeline().source() instanceof Location.S3 source)) {
            throw new ConfigException("inventory: '" + manifest + "' is not s3://BUCKET/…/manifest.json");
        }
        ObjectStore bucket = call.clients()
                .s3()
                .store(
                        new Location.S3(parts[0], "", source.region(), source.endpointUrl(), false),
                        StoreOptions.DEFAULT);
        InventoryPlanner.Source of =
                new InventoryPlanner.Source(source.bucket(), source.prefix(), site.source()::relative);
        int threads = Runtime.getRuntime().availableProcessors();
        return new InventoryPlanner(bucket, of, SAMPLE_KEYS, threads, call.timeIsUp(), call.notes())
                .plan(parts[1], call.settings().taskSize(), file);
    }

    /** Refused where the ledger has begun: it goes on as it is. */
    private void extents(Planned planned) throws IOException {
        if (planned.extents().isEmpty()) {
            return;
        }
        try {
            var _ = site.ledger().planExtents(planned.extents());
        } catch (UnknownOutcomeException e) {
            call.warn("whether the ledger was spread over extents is not known: " + e.getMessage());
        }
    }
}
