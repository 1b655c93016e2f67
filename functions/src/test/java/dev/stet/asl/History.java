package dev.stet.asl;

import java.util.ArrayList;
import java.util.List;

/** The events of one execution. Thread-safe. */
public final class History {
    private final List<String> events = new ArrayList<>();
    private final int limit;

    History(int limit) {
        this.limit = limit;
    }

    synchronized void add(String event) throws Failure {
        if (events.size() >= limit) {
            throw new Failure(
                    Failure.RUNTIME, "The execution reached the maximum number of history events (" + limit + ").");
        }
        events.add(event);
    }

    /** Types of events, with the state's name where there is one: {@code TaskStateEntered Plan}. */
    public synchronized List<String> events() {
        return List.copyOf(events);
    }
}
