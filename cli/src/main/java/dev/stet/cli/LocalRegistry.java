package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.Locations;
import dev.stet.config.Setting;
import dev.stet.registry.Action;
import dev.stet.registry.Caller;
import dev.stet.registry.Contract;
import dev.stet.registry.LocalLauncher;
import dev.stet.registry.RegistryException;
import dev.stet.registry.RegistryService;
import dev.stet.registry.Runs;
import dev.stet.registry.SqliteRegistryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** The registry of this machine, in a state folder. */
final class LocalRegistry implements RegistryClient {
    private final Path folder;
    private final SqliteRegistryStore store;
    private final RegistryService service;
    private final Caller caller;

    private LocalRegistry(Path folder, SqliteRegistryStore store, RegistryService service, Caller caller) {
        this.folder = folder;
        this.store = store;
        this.service = service;
        this.caller = caller;
    }

    static LocalRegistry open(Surroundings surroundings, Optional<String> state) throws ConfigException, IOException {
        Path folder = folder(surroundings, state);
        SqliteRegistryStore store = SqliteRegistryStore.open(folder);
        Clock clock = Clock.systemUTC();
        LocalLauncher launcher = new LocalLauncher(folder, runCommand(surroundings), new Runs(store, clock), clock);
        String user = Optional.ofNullable(System.getProperty("user.name")).orElse("local");
        return new LocalRegistry(
                folder,
                store,
                new RegistryService(Contract.load(), store, launcher, surroundings.workingDirectory(), clock),
                new Caller(user, Optional.empty()));
    }

    /** Where the registry lies: as asked for, else in the user's state folder. */
    static Path folder(Surroundings surroundings, Optional<String> state) throws ConfigException {
        if (state.isPresent()) {
            return Locations.path(state.get(), surroundings.workingDirectory(), new Setting("--state"));
        }
        Optional<Path> base = surroundings
                .environment()
                .apply("XDG_STATE_HOME")
                .filter(s -> s.startsWith("/"))
                .map(Path::of)
                .or(() -> surroundings
                        .environment()
                        .apply("HOME")
                        .filter(h -> !h.isEmpty())
                        .map(h -> Path.of(h, ".local", "state")));
        if (base.isEmpty()) {
            throw new ConfigException(
                    "no place for the registry: neither HOME nor XDG_STATE_HOME is set; give --state DIR");
        }
        return base.get().resolve("stet").resolve("registry");
    }

    /** This very program, executing a run. Options of the JVM are those that the launcher script gives all of stet's. */
    private static List<String> runCommand(Surroundings surroundings) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        surroundings
                .environment()
                .apply("STET_JAVA_OPTS")
                .ifPresent(options -> Stream.of(options.split(" ", -1))
                        .filter(o -> !o.isBlank())
                        .forEach(command::add));
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                absolute(System.getProperty("java.class.path")),
                Main.class.getName(),
                "elt",
                ExecuteRunCommand.NAME));
        return command;
    }

    /** The process works in another folder. */
    private static String absolute(String classPath) {
        String separator = System.getProperty("path.separator");
        return String.join(
                separator,
                Stream.of(classPath.split(separator, -1))
                        .filter(e -> !e.isEmpty())
                        .map(e -> Path.of(e).toAbsolutePath().toString())
                        .toList());
    }

    Path folder() {
        return folder;
    }

    RegistryService service() {
        return service;
    }

    SqliteRegistryStore store() {
        return store;
    }

    @Override
    public ObjectNode call(Action action, ObjectNode request) throws RegistryException, IOException {
        return service.call(action, request, caller);
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
