package dev.stet.asl;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** States and where they start. Every name leads to a state, every state can be reached, and an end too. */
record Flow(String startAt, Map<String, State> states) {
    Flow {
        states = Map.copyOf(states);
    }

    State state(String name) {
        return java.util.Objects.requireNonNull(states.get(name));
    }

    void check(String where) {
        requireState(where + ": StartAt", startAt);
        Set<String> reached = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(startAt);
        boolean ends = false;
        while (!open.isEmpty()) {
            String name = open.remove();
            if (!reached.add(name)) {
                continue;
            }
            State state = state(name);
            ends |= state.ends();
            for (String target : state.targets()) {
                requireState(where + ": state '" + name + "'", target);
                open.add(target);
            }
        }
        Set<String> apart = new HashSet<>(states.keySet());
        apart.removeAll(reached);
        if (!apart.isEmpty()) {
            throw new RefusedException(where + " has states that nothing leads to: " + apart);
        }
        if (!ends) {
            throw new RefusedException(where + " has no end");
        }
    }

    private void requireState(String where, String target) {
        if (!states.containsKey(target)) {
            throw new RefusedException(where + " leads to '" + target + "', which is no state");
        }
    }
}
