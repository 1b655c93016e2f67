package dev.stet.cli;

import dev.stet.registry.LocalRun;
import dev.stet.registry.RegistryException;
import dev.stet.registry.Run;
import dev.stet.registry.Runs;
import dev.stet.registry.SqliteRegistryStore;
import dev.stet.run.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What a run's process does; started by the registry, not by people. Standard output is the run's report, standard error its log. */
@Command(name = ExecuteRunCommand.NAME, hidden = true, header = "Executes a run of the registry.")
final class ExecuteRunCommand implements Callable<Integer> {
    static final String NAME = "execute-run";

    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "DIR", description = "The registry's state folder.")
    Path state;

    @Parameters(index = "1", paramLabel = "ID", description = "The run's id.")
    String runId;

    ExecuteRunCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        Engine engine = surroundings.engines().get();
        // SIGTERM ends it as StopRun does.
        try (SqliteRegistryStore store = SqliteRegistryStore.open(state);
                Reporter report = new JsonReporter(surroundings.out());
                Drain drain = new Drain(engine::stop)) {
            drain.arm();
            Run _ = new LocalRun(new Runs(store, Clock.systemUTC()), engine, state)
                    .execute(runId, report, report::finished);
            return ExitCode.OK;
        } catch (RegistryException e) {
            throw new IOException(e.text(), e);
        }
    }
}
