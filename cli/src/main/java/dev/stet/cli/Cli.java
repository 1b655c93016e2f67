package dev.stet.cli;

import dev.stet.config.Nearest;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line, put together. */
final class Cli {
    private final Surroundings surroundings;
    private final Errors errors;

    Cli(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.errors = new Errors(surroundings.err());
    }

    /** Runs one command; returns its exit code. */
    int run(String... args) {
        List<String> words = List.of(args);
        CommandLine line = commandLine(words.contains("elt") || words.contains("completion"));
        try {
            return line.execute(args);
        } catch (Throwable e) {
            // Errors of the JVM: they pass picocli's own handlers.
            return errors.report(e, List.of(args).contains("--debug"));
        }
    }

    /** All of it. */
    CommandLine commandLine() {
        return commandLine(true);
    }

    /** @param whole whether the commands below {@code elt} are looked into: there are many, and it takes a third of a second */
    private CommandLine commandLine(boolean whole) {
        Runner runner = new Runner(surroundings, errors);
        CommandLine line = new CommandLine(new StetCommand(errors));
        line.addSubcommand(new CommandLine(new CopyCommand(surroundings, runner)));
        line.addSubcommand(new CommandLine(new SyncCommand(surroundings, runner)));
        line.addSubcommand(EltCommand.line(surroundings, errors, whole));
        line.addSubcommand(new CommandLine(new ServeCommand(surroundings, errors)));
        line.addSubcommand(new CommandLine(new StatusCommand(surroundings)));
        line.addSubcommand(LedgerCommand.line(surroundings, errors));
        line.addSubcommand(new CommandLine(new CompletionCommand(surroundings.out())));
        line.setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8));
        // Fields may begin with @, which picocli would take for a file of arguments.
        line.setExpandAtFiles(false);
        line.setUsageHelpWidth(110);
        line.setParameterExceptionHandler((e, args) ->
                errors.usage(message(e), e.getCommandLine().getCommandSpec().qualifiedName()));
        line.setExecutionExceptionHandler(
                (e, command, parsed) -> errors.report(e, parsed.expandedArgs().contains("--debug")));
        return line;
    }

    private static String message(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unknown(unmatched.getUnmatched().get(0), e.getCommandLine());
        }
        return Optional.ofNullable(e.getMessage()).orElse("wrong usage");
    }

    private static String unknown(String argument, CommandLine line) {
        boolean option = argument.startsWith("-");
        int value = argument.indexOf('=');
        String word = option && value > 0 ? argument.substring(0, value) : argument;
        List<String> known = option
                ? line.getCommandSpec().options().stream()
                        .map(o -> o.longestName())
                        .toList()
                : List.copyOf(line.getSubcommands().keySet());
        String what = option ? "unknown option " : known.isEmpty() ? "unexpected argument " : "unknown command ";
        return what
                + word
                + Nearest.to(word, known).map(k -> "; the nearest is " + k).orElse("");
    }
}
