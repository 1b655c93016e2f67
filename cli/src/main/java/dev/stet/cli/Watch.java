package dev.stet.cli;

import dev.stet.audit.Digest;
import dev.stet.registry.Action;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryException;
import dev.stet.run.RunCounters;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.node.ObjectNode;

/** Looks at a run again and again until it has ended, with the progress line on a terminal. */
final class Watch {
    private static final long LOOK_MILLIS = 500;
    /** How long a registry may be out of reach: about a minute. */
    private static final int MAX_MISSES = 120;

    private final Surroundings surroundings;
    private final RegistryClient client;
    private final Answers answers;

    Watch(Surroundings surroundings, RegistryClient client, Answers answers) {
        this.surroundings = surroundings;
        this.client = client;
        this.answers = answers;
    }

    /** Returns the exit code that says how the run ended. */
    int toTheEnd(String runId) throws RegistryException, IOException {
        AtomicReference<ObjectNode> last = new AtomicReference<>(look(runId));
        if (!surroundings.terminal().isStandardError()) {
            watch(runId, last);
        } else {
            try (ProgressLine line = new ProgressLine(
                    surroundings.err(),
                    surroundings.terminal().columns(surroundings.environment()),
                    () -> counters(last.get()))) {
                line.phase("run " + runId);
                line.start();
                watch(runId, last);
            }
        }
        return ended(last.get());
    }

    private void watch(String runId, AtomicReference<ObjectNode> last) throws RegistryException, IOException {
        int misses = 0;
        while (!hasEnded(last.get())) {
            pause();
            try {
                last.set(look(runId));
                misses = 0;
            } catch (RegistryException e) {
                boolean passing = e.code() == ErrorCode.TooManyRequests || e.code() == ErrorCode.Internal;
                if (!passing || ++misses > MAX_MISSES) {
                    throw e;
                }
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                // A server that is started anew: the run does not depend on it.
                if (++misses > MAX_MISSES) {
                    throw e;
                }
            }
        }
    }

    private ObjectNode look(String runId) throws RegistryException, IOException {
        return client.call(Action.DescribeRun, EltCommand.request().put("runId", runId));
    }

    private static boolean hasEnded(ObjectNode run) {
        String status = run.get("status").asString();
        return !status.equals("RUNNING") && !status.equals("STOPPING");
    }

    private int ended(ObjectNode run) {
        answers.show(run);
        String status = run.get("status").asString();
        boolean unread = run.path("objectsUnreadable").asLong(0) > 0;
        if (status.equals("SUCCEEDED")) {
            return unread ? ExitCode.INCOMPLETE : ExitCode.OK;
        }
        String why = run.path("lastError").asString("");
        surroundings
                .err()
                .println("stet: run " + run.get("runId").asString() + " " + status
                        + (why.isEmpty() ? "" : ": " + Errors.oneLine(why)));
        return ExitCode.FAILED;
    }

    private static RunCounters counters(ObjectNode run) {
        return new RunCounters(
                run.path("objectsCopied").asLong(0),
                run.path("objectsSkipped").asLong(0),
                run.path("objectsUnreadable").asLong(0),
                run.path("recordsCopied").asLong(0),
                Map.of(),
                run.path("landedObjects").asLong(0),
                run.path("bytesCopied").asLong(0),
                run.path("bytesRead").asLong(0),
                run.path("bytesToRead").asLong(0),
                Digest.EMPTY,
                true);
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }
}
