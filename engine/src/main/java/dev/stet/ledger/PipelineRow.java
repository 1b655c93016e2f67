package dev.stet.ledger;

import java.io.IOException;
import java.util.Optional;

/**
 * What the ledger was begun for, so that state of other settings is noticed.
 *
 * @param id of the pipeline; its name in keys of the sink and in a table
 * @param move why nothing may be committed here: the ledger is on its way
 * @param revision counts changes; 0: not stored yet
 */
public record PipelineRow(String id, String source, String sink, String routing, Optional<Move> move, long revision) {
    private static final String TO = "to ";
    private static final String FROM = "from ";

    /** A move of the ledger. */
    public sealed interface Move {
        /** The other end. */
        String ledger();

        /** That one took this one's place, or will when the move is done. */
        record To(String ledger) implements Move {}

        /** This one is being filled from that one. */
        record From(String ledger) implements Move {}

        /** The text that adapters store. */
        default String text() {
            return (this instanceof To ? TO : FROM) + ledger();
        }

        /** Reads {@link #text()}. */
        static Move parse(String text) {
            return text.startsWith(TO) ? new To(text.substring(TO.length())) : new From(text.substring(FROM.length()));
        }
    }

    /** A row that is not stored yet, of a ledger in use. */
    public PipelineRow(String id, String source, String sink, String routing) {
        this(id, source, sink, routing, Optional.empty(), 0);
    }

    /** The same, but for the revision. */
    public PipelineRow at(long otherRevision) {
        return new PipelineRow(id, source, sink, routing, move, otherRevision);
    }

    /** The same, on its way. */
    public PipelineRow moving(Move on) {
        return new PipelineRow(id, source, sink, routing, Optional.of(on), revision);
    }

    /** The same, in use. */
    public PipelineRow inUse() {
        return new PipelineRow(id, source, sink, routing, Optional.empty(), revision);
    }

    /**
     * Whoever begins a commit or a compaction asks this afterwards: the mover marks the ledger first and looks for what is under way then, so one of the two
     * sees the other.
     *
     * @throws LedgerException when the ledger was moved meanwhile
     */
    public static void requireInUse(Ledger ledger) throws IOException {
        Optional<Move> move = ledger.pipeline().flatMap(PipelineRow::move);
        if (move.isPresent()) {
            throw new LedgerException(
                    switch (move.get()) {
                        case Move.To to ->
                            "the ledger was moved to " + to.ledger()
                                    + " while this run was at work; go on with that one";
                        case Move.From from ->
                            "the ledger is being moved here from " + from.ledger() + "; finish that first";
                    });
        }
    }
}
