package dev.stet.ledger;

import java.util.Optional;

/**
 * What the ledger was begun for, so that state of other settings is noticed.
 *
 * @param id of the pipeline; its name in keys of the sink and in a table
 * @param movedTo the ledger that took this one's place: nothing may be committed here any more
 * @param revision counts changes; 0: not stored yet
 */
public record PipelineRow(
        String id, String source, String sink, String routing, Optional<String> movedTo, long revision) {

    /** A row that is not stored yet, of a ledger in use. */
    public PipelineRow(String id, String source, String sink, String routing) {
        this(id, source, sink, routing, Optional.empty(), 0);
    }

    /** The same, but for the revision. */
    public PipelineRow at(long otherRevision) {
        return new PipelineRow(id, source, sink, routing, movedTo, otherRevision);
    }

    /** The same, with another in its place. */
    public PipelineRow movedTo(String ledger) {
        return new PipelineRow(id, source, sink, routing, Optional.of(ledger), revision);
    }
}
