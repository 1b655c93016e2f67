package dev.stet.asl;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/** One execution of a definition: of a state machine, or of one item of a Map. */
public final class Execution {
    /** How it stands. */
    public enum Status {
        RUNNING,
        SUCCEEDED,
        FAILED,
        ABORTED
    }

    /** How it ended; {@code output} of a success, {@code error} and {@code cause} of anything else. */
    public record Result(Status status, Optional<JsonNode> output, String error, String cause) {}

    /** It was stopped: whoever works for it ends. */
    static final class AbortedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final String machineArn;
    private final String name;
    private final JsonNode input;
    private final History history;
    private final Instant started = Instant.now();
    private final CompletableFuture<Result> end = new CompletableFuture<>();
    private final List<Execution> children = new CopyOnWriteArrayList<>();

    Execution(String machineArn, String name, JsonNode input, History history) {
        this.machineArn = machineArn;
        this.name = name;
        this.input = input;
        this.history = history;
    }

    public String name() {
        return name;
    }

    public String arn() {
        return machineArn.replace(":stateMachine:", ":execution:") + ":" + name;
    }

    String machineArn() {
        return machineArn;
    }

    Instant started() {
        return started;
    }

    public JsonNode input() {
        return input;
    }

    public History history() {
        return history;
    }

    /** Executions begun by this one: of items, and nested ones. */
    public List<Execution> children() {
        return List.copyOf(children);
    }

    public Status status() {
        return end.isDone() ? end.join().status() : Status.RUNNING;
    }

    /** Waits for its end. */
    public Result await() {
        return end.join();
    }

    CompletableFuture<Result> end() {
        return end;
    }

    /** As StopExecution: it and what it began are ABORTED at once. What functions are doing goes on, and nobody hears of it. */
    public void stop(String error, String cause) {
        if (end.complete(new Result(Status.ABORTED, Optional.empty(), error, cause))) {
            children.forEach(c -> c.stop(error, cause));
        }
    }

    void adopt(Execution child) {
        children.add(child);
        if (status() == Status.ABORTED) {
            child.stop("", "its parent was stopped");
        }
        requireRunning();
    }

    void succeed(JsonNode output) {
        end.complete(new Result(Status.SUCCEEDED, Optional.of(output), "", ""));
    }

    void fail(Failure failure) {
        end.complete(new Result(Status.FAILED, Optional.empty(), failure.error(), failure.cause()));
    }

    void requireRunning() {
        if (end.isDone()) {
            throw new AbortedException();
        }
    }
}
