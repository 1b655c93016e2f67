package dev.stet.run;

import dev.stet.store.CaseProbe;
import java.time.Clock;
import java.util.Map;

/** What a run takes from the machine it runs on. */
record Machine(Stores stores, Ledgers ledgers, Map<String, String> environment, Clock clock, CaseProbe caseProbe) {
    Machine {
        environment = Map.copyOf(environment);
    }
}
