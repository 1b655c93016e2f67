package dev.stet.run;

import dev.stet.store.CaseProbe;
import java.time.Clock;

/** Engines whose time a test moves. */
public final class Engines {
    private Engines() {}

    public static Engine at(Clock clock, Stores stores, Ledgers ledgers) {
        return new LocalEngine(new Machine(stores, ledgers, System.getenv(), clock, CaseProbe.FILES));
    }
}
