package dev.stet.asl;

import java.util.List;

/** An error in an execution: a name, which Retry and Catch match, and a cause. */
public final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    public static final String RUNTIME = "States.Runtime";
    public static final String DATA_LIMIT = "States.DataLimitExceeded";
    public static final String TIMEOUT = "States.Timeout";

    private final String error;
    private final String cause;

    public Failure(String error, String cause) {
        super(error + ": " + cause);
        this.error = error;
        this.cause = cause;
    }

    public String error() {
        return error;
    }

    public String cause() {
        return cause;
    }

    /** Whether one of the names of a Retry or Catch means this error. */
    boolean isOneOf(List<String> names) {
        return names.stream().anyMatch(this::is);
    }

    private boolean is(String name) {
        boolean terminal = error.equals(RUNTIME) || error.equals(DATA_LIMIT);
        return switch (name) {
            case "States.ALL" -> !terminal;
            case "States.TaskFailed" -> !terminal && !error.equals(TIMEOUT);
            default -> error.equals(name);
        };
    }
}
