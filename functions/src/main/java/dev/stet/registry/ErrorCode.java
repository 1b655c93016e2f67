package dev.stet.registry;

/** What can be wrong with a call, each with its HTTP status. The names are part of the contract. */
public enum ErrorCode {
    /** The request is not what the contract says. */
    InvalidRequest(400),
    /** No credentials, or credentials that prove nothing. */
    Unauthenticated(401),
    /** Known, and not allowed to do this. */
    AccessDenied(403),
    /** No pipeline, run or action of that name. */
    NotFound(404),
    /** Every action is a POST. */
    MethodNotAllowed(405),
    /** A pipeline of that name is there already. */
    PipelineExists(409),
    /** The pipeline has a run that has not ended. */
    PipelineBusy(409),
    /** The pipeline was changed since the revision that the request names. */
    RevisionConflict(409),
    /** The client token was used for another request. */
    ClientTokenReused(409),
    /** The run has ended; what it ended as never changes. */
    RunEnded(409),
    /** The run is the engine's, which reports it itself. */
    RunIsOurs(409),
    /** The change is good by itself and does not fit the pipeline as it is. */
    DoesNotFit(409),
    /** Longer than any request can be. */
    TooLarge(413),
    /** More calls than can be served now; the same call later may succeed. */
    TooManyRequests(429),
    /** A fault of ours. */
    Internal(500);

    private final int status;

    ErrorCode(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }
}
