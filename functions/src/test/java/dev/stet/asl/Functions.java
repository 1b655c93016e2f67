package dev.stet.asl;

import tools.jackson.databind.JsonNode;

/** The Lambda functions that definitions call. Called by many threads. */
public interface Functions {
    /**
     * Invokes a function and waits.
     *
     * @param name what stands as {@code FunctionName}
     * @throws Failure as the integration tells it: an exception's class, {@code Lambda.TooManyRequestsException}, {@code Runtime.ExitError} …
     */
    JsonNode invoke(String name, JsonNode payload) throws Failure, InterruptedException;
}
