package dev.stet.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "stet",
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        header = "Copies JSON records between S3 layouts, byte for byte, each exactly once.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  stet copy raw/ landing/ --namespace-fields event_type --batch-partition-fields tenant_id \\",
            "            --batch-time-fields time",
            "  stet sync --pipeline gdpr_migration --once      # as stet.yml says",
            "  stet copy --help"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every source byte is landed or quarantined",
            "1:the run failed; the same command goes on where it ended",
            "2:wrong usage or configuration",
            "3:finished, but some source objects could not be read"
        })
final class StetCommand implements Callable<Integer> {
    private final Errors errors;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This help.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "The version.")
    boolean version;

    StetCommand(Errors errors) {
        this.errors = errors;
    }

    @Override
    public Integer call() {
        return errors.usage("name a command: copy, sync, elt, serve, status, ledger or completion", "stet");
    }
}
