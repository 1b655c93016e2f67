package dev.stet.functions;

import dev.stet.aws.AwsAccess;
import dev.stet.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * What a function's process works with, put together by hand. Before a snapshot is taken the hot path is run once and every connection is closed; clients and
 * randomness are made anew after a restore, since many processes come from one snapshot. Thread-safe.
 */
public final class Wiring implements Resource {
    /** Opens clients. */
    interface Opener {
        Clients open() throws ConfigException;
    }

    private final FunctionSettings settings;
    private final Opener opener;
    private final Clock clock;
    private final Consumer<String> out;
    private Optional<Clients> clients = Optional.empty();
    private Optional<SecureRandom> random = Optional.empty();

    /** @param out takes log lines */
    Wiring(FunctionSettings settings, Opener opener, Clock clock, Consumer<String> out) {
        this.settings = settings;
        this.opener = opener;
        this.clock = clock;
        this.out = out;
    }

    /** As the service starts a function: settings from the environment, logs to standard output, hooks registered. */
    static Wiring ofEnvironment() {
        FunctionSettings settings;
        try {
            settings = FunctionSettings.of(System.getenv());
        } catch (ConfigException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        Wiring wiring = new Wiring(
                settings,
                () -> new Clients(AwsAccess.withDefaults(), Optional.empty(), Optional.empty()),
                Clock.systemUTC(),
                System.out::println);
        Core.getGlobalContext().register(wiring);
        return wiring;
    }

    FunctionSettings settings() {
        return settings;
    }

    Clock clock() {
        return clock;
    }

    Consumer<String> out() {
        return out;
    }

    synchronized Clients clients() throws ConfigException {
        if (clients.isEmpty()) {
            clients = Optional.of(opener.open());
        }
        return clients.get();
    }

    /** Never one that a snapshot holds. */
    synchronized SecureRandom random() {
        if (random.isEmpty()) {
            random = Optional.of(new SecureRandom());
        }
        return random.get();
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {
        try {
            int _ = new WarmUp(this).run();
        } catch (IOException | ConfigException | UncheckedIOException e) {
            // A snapshot that is not warm is only slower.
            out.accept(new LogLine("warn", clock.instant())
                    .with("message", "not warmed up: " + e.getMessage())
                    .text());
        }
        close();
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) throws ConfigException {
        close();
        Clients _ = clients();
    }

    synchronized void close() {
        clients.ifPresent(Clients::close);
        clients = Optional.empty();
        random = Optional.empty();
    }
}
