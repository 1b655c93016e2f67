package dev.stet.ledger;

/** UPLOADING → COMMITTED → RETIRED, or UPLOADING → ABANDONED. No other way, and no way back. */
public enum CommitState {
    /** Bytes may be staged; none counts. */
    UPLOADING,
    /** Its slices count and wait to be landed. */
    COMMITTED,
    /** Everything of it lies in the sink. */
    RETIRED,
    /** It can never commit; its bundle is garbage. */
    ABANDONED
}
