package dev.stet.ledger;

/** UPLOADING → (PARTIAL →) COMMITTED → RETIRED, or ABANDONED from UPLOADING or PARTIAL. No other way, and no way back. */
public enum CommitState {
    /** Bytes may be staged; none counts. */
    UPLOADING,
    /** A part of an object that is not copied to its end: its bytes are staged, none counts yet. It goes the way of its object, with all other parts of it. */
    PARTIAL,
    /** Its slices count and wait to be landed. */
    COMMITTED,
    /** Everything of it lies in the sink. */
    RETIRED,
    /** It can never commit; its bundle is garbage. */
    ABANDONED
}
