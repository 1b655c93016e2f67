package dev.stet.functions;

import dev.stet.config.ConfigException;
import dev.stet.registry.DynamoDbRegistryStore;
import dev.stet.registry.Runs;
import java.io.IOException;

/** Runs the hot path once before a snapshot is taken, so that restored processes find it compiled and loaded. It writes nothing. */
final class WarmUp {
    private final Wiring wiring;

    WarmUp(Wiring wiring) {
        this.wiring = wiring;
    }

    void run() throws IOException, ConfigException {
        boolean _ = new Runs(
                        new DynamoDbRegistryStore(wiring.clients()
                                .tables()
                                .documents(wiring.settings().table())),
                        wiring.clock())
                .shouldStop("warm-up");
    }
}
