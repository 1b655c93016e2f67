package dev.stet.functions;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.dynamodb.DynamoDb;
import dev.stet.config.ConfigException;
import dev.stet.registry.Action;
import dev.stet.registry.Caller;
import dev.stet.registry.Contract;
import dev.stet.registry.DynamoDbRegistryStore;
import dev.stet.registry.Json;
import dev.stet.registry.RegistryException;
import dev.stet.registry.RegistryService;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import software.amazon.awssdk.services.sfn.SfnClient;

/**
 * The registry in a function's process. As {@link Wiring}, for those functions that serve the registry alone: before a snapshot is taken a request is served
 * once and every connection is closed; service, clients and the randomness of ids are made anew after a restore. Thread-safe.
 */
final class RegistryProcess implements Resource {
    /** Opens a registry. */
    interface Opener {
        Opened open() throws ConfigException;
    }

    /** A registry at work. @param connections closed before a snapshot */
    record Opened(RegistryService service, Closeable connections) {}

    private static final String NO_PIPELINE = "warm-up";

    private final Opener opener;
    private final Consumer<String> log;
    private Optional<Opened> opened = Optional.empty();

    RegistryProcess(Opener opener, Consumer<String> log) {
        this.opener = opener;
        this.log = log;
    }

    /**
     * As the service starts a function: hooks registered, settings checked.
     *
     * @throws ConfigException when {@code STET_TABLE} or {@code STET_RUN_STATE_MACHINE} is not set
     */
    static RegistryProcess of(Map<String, String> environment) throws ConfigException {
        String table = setting(environment, "STET_TABLE");
        String stateMachine = setting(environment, "STET_RUN_STATE_MACHINE");
        RegistryProcess process = new RegistryProcess(
                () -> {
                    AwsAccess access = AwsAccess.withDefaults();
                    return open(
                            access,
                            new DynamoDb(access),
                            table,
                            Clients.stateMachines(access).build(),
                            stateMachine);
                },
                System.out::println);
        Core.getGlobalContext().register(process);
        return process;
    }

    /** The registry in a table, whose runs are executions of a state machine. */
    static Opened open(AwsAccess access, DynamoDb tables, String table, SfnClient launcher, String stateMachine) {
        RegistryService service = new RegistryService(
                Contract.load(),
                new DynamoDbRegistryStore(tables.documents(table)),
                new StateMachineLauncher(launcher, stateMachine),
                Path.of("/"),
                Clock.systemUTC());
        return new Opened(service, () -> {
            launcher.close();
            tables.close();
            access.close();
        });
    }

    private static String setting(Map<String, String> environment, String name) throws ConfigException {
        Optional<String> value = Optional.ofNullable(environment.get(name)).filter(v -> !v.isBlank());
        if (value.isEmpty()) {
            throw new ConfigException(name + " is not set");
        }
        return value.get();
    }

    /** The service; not to be kept from one invocation to the next. */
    synchronized RegistryService service() {
        if (opened.isEmpty()) {
            try {
                opened = Optional.of(opener.open());
            } catch (ConfigException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }
        return opened.get().service();
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) throws IOException {
        try {
            var _ = service()
                    .call(
                            Action.DescribePipeline,
                            Json.object().put("name", NO_PIPELINE),
                            new Caller(NO_PIPELINE, Optional.empty()));
        } catch (RegistryException e) {
            // There is none of the name, as expected.
        } catch (IOException | RuntimeException e) {
            // A snapshot that is not warm is only slower.
            log.accept("not warmed up: " + e.getMessage());
        }
        close();
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) throws IOException {
        close();
        RegistryService _ = service();
    }

    synchronized void close() throws IOException {
        if (opened.isPresent()) {
            opened.get().connections().close();
        }
        opened = Optional.empty();
    }
}
