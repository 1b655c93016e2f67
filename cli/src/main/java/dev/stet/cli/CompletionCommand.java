package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        sortOptions = false,
        header = "Prints a script that completes stet's commands and options in a shell.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(stet completion bash)",
            "  stet completion zsh > ~/.stet-completion && source ~/.stet-completion"
        })
final class CompletionCommand implements Callable<Integer> {
    private final PrintStream out;

    @Parameters(paramLabel = "bash|zsh", completionCandidates = Candidates.Shells.class, description = "The shell.")
    String shell;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This help.")
    boolean help;

    @Spec
    CommandSpec spec;

    CompletionCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws ConfigException {
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw new Setting("completion").error(SettingValues.quote(shell) + " is not one of bash, zsh");
        }
        // One script for both: it switches zsh to bash's way of completing.
        out.print(AutoComplete.bash("stet", spec.root().commandLine()));
        return ExitCode.OK;
    }
}
