package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.config.PipelineConfig;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.LedgerException;
import dev.stet.ledger.PipelineRow;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whether a ledger belongs to a pipeline, and may be used as it is asked for.
 *
 * @param id of the pipeline
 * @param sharedSink the sink may hold landed objects that this ledger does not know
 * @param notes hears what is good to know
 * @param name how errors name the ledger
 */
public record Claim(
        String id,
        Ledger ledger,
        PipelineConfig pipeline,
        boolean sharedSink,
        boolean acceptRoutingChange,
        Consumer<String> notes,
        String name) {
    private static final int MAX_TRIES = 100;

    /** Only looks. @throws ConfigException when the ledger is another pipeline's, or was begun otherwise */
    public void check(ObjectStore sink) throws ConfigException, IOException {
        Optional<PipelineRow> known = ledger.pipeline();
        Optional<String> landed = known.isEmpty() ? anyLanded(sink) : Optional.empty();
        if (landed.isPresent()) {
            // Another process may have begun this very pipeline in the meantime.
            known = ledger.pipeline();
            if (known.isEmpty()) {
                throw new ConfigException("the sink holds landed objects that this ledger does not know: "
                        + landed.get() + " (" + name + "); use the state they were copied with"
                        + (sharedSink
                                ? ": this very copy landed them, and a lost ledger would land them again"
                                : ", an empty sink, or --shared-sink if others write here too"));
            }
        }
        if (known.isPresent()) {
            check(known.get());
        }
    }

    private void check(PipelineRow known) throws ConfigException {
        if (known.move().isPresent()) {
            throw new ConfigException(name
                    + switch (known.move().get()) {
                        case PipelineRow.Move.To to ->
                            " is no longer in use: it was moved to " + to.ledger()
                                    + "; go on with that one, or its copies would be made twice";
                        case PipelineRow.Move.From from ->
                            " is not complete: it is being moved here from " + from.ledger()
                                    + "; run the same `stet ledger copy` again to finish";
                    });
        }
        PipelineRow mine = row();
        boolean sameSource = known.source().equals(mine.source());
        if (!known.sink().equals(mine.sink()) || (!sameSource && pipeline.name().isEmpty())) {
            throw new ConfigException(name + " belongs to a copy from " + known.source() + " to " + known.sink()
                    + "; give another --state for another source or sink");
        }
        if (!known.routing().equals(mine.routing()) && !acceptRoutingChange) {
            throw new ConfigException(
                    "the routing settings are not those this state was begun with: "
                            + RoutingText.difference(known.routing(), mine.routing())
                            + "; what is copied would stay where it is. To use the new ones from now on, add --accept-routing-change");
        }
    }

    /** Stores what the pipeline is now, in one step with a last look at what others stored. */
    public void save(ObjectStore sink) throws ConfigException, IOException {
        for (int i = 0; i < MAX_TRIES; i++) {
            Optional<PipelineRow> known = ledger.pipeline();
            long revision = known.map(PipelineRow::revision).orElse(0L);
            PipelineRow mine = row();
            if (known.equals(Optional.of(mine.at(revision)))) {
                return;
            }
            check(sink);
            if (saved(mine, revision)) {
                known.filter(k -> !k.source().equals(mine.source()))
                        .ifPresent(k -> notes.accept("the source was " + k.source() + " before; all of " + mine.source()
                                + " is new to this pipeline"));
                return;
            }
        }
        throw new LedgerException(name + " keeps changing: other runs work on it with other settings; end them");
    }

    private boolean saved(PipelineRow mine, long revision) throws IOException {
        try {
            return ledger.savePipeline(mine, revision) == Ledger.Outcome.APPLIED;
        } catch (UnknownOutcomeException e) {
            return false;
        }
    }

    private PipelineRow row() {
        return new PipelineRow(
                id, Places.name(pipeline.source()), Places.name(pipeline.sink()), RoutingText.of(pipeline));
    }

    /** In a shared sink only what bears this pipeline's id is nobody else's. */
    private Optional<String> anyLanded(ObjectStore sink) throws IOException {
        String prefix = sharedSink ? "apply-" + id + "-" : "apply-";
        try (ObjectListing listing = sink.list(KeyRange.ALL)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                String key = e.get().key();
                if (key.startsWith(prefix, key.lastIndexOf('/') + 1)) {
                    return Optional.of(sink.describe(key));
                }
            }
            return Optional.empty();
        }
    }
}
