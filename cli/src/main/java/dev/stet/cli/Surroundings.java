package dev.stet.cli;

import dev.stet.config.ConfigContext;
import dev.stet.run.Engine;
import dev.stet.run.LedgerMove;
import dev.stet.run.Ledgers;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the command line sees of the world. */
record Surroundings(
        PrintStream out,
        PrintStream err,
        Path workingDirectory,
        Function<String, Optional<String>> environment,
        Terminal terminal,
        Supplier<Engine> engines,
        Ledgers ledgers) {
    /** Of all variables only those that say where state lies. */
    LedgerMove ledgerMove() {
        Map<String, String> places = new HashMap<>();
        for (String name : List.of("HOME", "XDG_STATE_HOME")) {
            environment.apply(name).ifPresent(value -> places.put(name, value));
        }
        return new LedgerMove(ledgers, places, Clock.systemUTC());
    }

    ConfigContext configContext() {
        return new ConfigContext(workingDirectory, environment);
    }
}
