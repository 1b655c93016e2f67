package dev.stet.registry;

/** Where a run stands. Terminal states never change. */
public enum RunStatus {
    RUNNING,
    /** Someone asked it to stop; it commits what is whole. */
    STOPPING,
    SUCCEEDED,
    FAILED,
    STOPPED;

    public boolean ended() {
        return this == SUCCEEDED || this == FAILED || this == STOPPED;
    }
}
