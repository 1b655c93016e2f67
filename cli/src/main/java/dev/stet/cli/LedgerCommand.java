package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.run.LedgerMove;
import dev.stet.run.LedgerPlace;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "ledger",
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        header = "Makes the table of a shared ledger, and moves a pipeline's ledger into it.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stet ledger create stet",
            "  stet ledger copy ~/.local/state/stet/0123456789abcdef dynamodb:stet",
            "  stet copy s3://devices/raw/ s3://lake/landing --ledger dynamodb:stet"
        })
final class LedgerCommand implements Callable<Integer> {
    private final Errors errors;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This help.")
    boolean help;

    private LedgerCommand(Errors errors) {
        this.errors = errors;
    }

    static CommandLine line(Surroundings surroundings, Errors errors) {
        return new CommandLine(new LedgerCommand(errors))
                .addSubcommand(new CommandLine(new Create(surroundings)))
                .addSubcommand(new CommandLine(new Copy(surroundings)));
    }

    @Override
    public Integer call() {
        return errors.usage("name a command: create or copy", "stet ledger");
    }

    @Command(
            name = "create",
            sortOptions = false,
            header = "Makes a DynamoDB table for ledgers, on demand, and waits until it can be used.",
            description = {"", "A table of that form that is there already is taken as it is.", ""})
    static final class Create implements Callable<Integer> {
        private final Surroundings surroundings;

        @Parameters(paramLabel = "TABLE", description = "Its name.")
        String table;

        @Option(names = "--debug", description = "Show the stack trace of an error.")
        boolean debug;

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "This help.")
        boolean help;

        private Create(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() throws ConfigException, IOException {
            String name = LedgerPlace.tableName(
                    table.startsWith(LedgerPlace.PREFIX) ? table.substring(LedgerPlace.PREFIX.length()) : table,
                    "TABLE");
            surroundings.ledgers().create(name);
            surroundings.out().println("table " + name + " is ready; use it with --ledger dynamodb:" + name);
            return ExitCode.OK;
        }
    }

    @Command(
            name = "copy",
            sortOptions = false,
            header = "Moves a pipeline's ledger, so that nothing is copied again where it goes on.",
            description = {
                "",
                "FROM and TO are a state folder, sqlite (the default folder of the pipeline) or dynamodb:TABLE.",
                "End all runs of the pipeline first. FROM is marked and refuses further runs. Staging stays where it is.",
                ""
            })
    static final class Copy implements Callable<Integer> {
        private final Surroundings surroundings;

        @Parameters(index = "0", paramLabel = "FROM", description = "The ledger as it is.")
        String from;

        @Parameters(index = "1", paramLabel = "TO", description = "Where it is to be; nothing of this pipeline yet.")
        String to;

        @Option(
                names = "--pipeline-id",
                paramLabel = "ID",
                description = "Which pipeline, where FROM holds several; without it they are listed.")
        Optional<String> pipelineId = Optional.empty();

        @Option(names = "--debug", description = "Show the stack trace of an error.")
        boolean debug;

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "This help.")
        boolean help;

        private Copy(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() throws ConfigException, IOException {
            LedgerMove.Moved moved =
                    surroundings.ledgerMove().move(from, to, pipelineId, surroundings.workingDirectory());
            surroundings
                    .out()
                    .println("moved the ledger of %s to %s (pipeline %s, %,d objects, %,d pages) from %s to %s"
                            .formatted(
                                    moved.pipeline().source(),
                                    moved.pipeline().sink(),
                                    moved.pipeline().id(),
                                    moved.carried().objects(),
                                    moved.carried().pages(),
                                    moved.from(),
                                    moved.to()));
            return ExitCode.OK;
        }
    }
}
