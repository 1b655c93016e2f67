package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.config.Locations;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import dev.stet.run.LedgerPlace;
import dev.stet.run.RunOptions;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The flags of {@code copy} and {@code sync} alike: how this machine is used, and when records land. */
final class RunFlags {
    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Where the ledger lies; default: a folder of the user's, one for each source and sink.")
    Optional<String> state = Optional.empty();

    @Option(
            names = "--ledger",
            paramLabel = "LEDGER",
            description = "sqlite (default: a file in --state), or dynamodb:TABLE, which many machines can share.")
    Optional<String> ledger = Optional.empty();

    @Option(
            names = "--staging",
            paramLabel = "DIR",
            description = "Where records wait to land; default: beside the ledger.")
    Optional<String> staging = Optional.empty();

    @Option(
            names = "--staging-max",
            paramLabel = "SIZE",
            description = "Most that may wait there, for instance 20GiB; default: half of the disk's free space.")
    Optional<String> stagingMax = Optional.empty();

    @Option(names = "--threads", paramLabel = "N", description = "Copy workers; default: one for each processor.")
    Optional<String> threads = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "For records on their way, all workers together; default: half of the heap.")
    Optional<String> memory = Optional.empty();

    @Option(
            names = "--max-object-bytes",
            paramLabel = "SIZE",
            description = "Landed objects are begun anew rather than exceed this; 1GiB by default.")
    Optional<String> maxObjectBytes = Optional.empty();

    @Option(
            names = "--buffer-threshold-seconds",
            paramLabel = "N",
            description = "Land what is this old; 86400 by default.")
    Optional<String> bufferThresholdSeconds = Optional.empty();

    @Option(
            names = "--buffer-threshold-bytes",
            paramLabel = "SIZE",
            description = "Land when this much waits; no limit by default.")
    Optional<String> bufferThresholdBytes = Optional.empty();

    @Option(names = "--no-flush", description = "Leave what is committed and not due for landing to the next run.")
    boolean noFlush;

    @Option(names = "--shared-sink", description = "SINK may hold objects that other runs of stet landed.")
    boolean sharedSink;

    @Option(
            names = "--accept-routing-change",
            description = "Other routing flags than last time are meant; they apply from now on.")
    boolean acceptRoutingChange;

    @Option(
            names = "--output",
            paramLabel = "MODE",
            completionCandidates = Candidates.Outputs.class,
            description = "progress (default on a terminal), text, or json: events, and a summary as the last line.")
    Optional<String> output = Optional.empty();

    @Option(names = "--debug", description = "Show the stack trace of an error.")
    boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This help.")
    boolean help;

    LandingPolicy landing(LandingPolicy otherwise) throws ConfigException {
        return new LandingPolicy(
                bufferThresholdSeconds.isPresent()
                        ? SettingValues.seconds(bufferThresholdSeconds.get(), new Setting("--buffer-threshold-seconds"))
                        : otherwise.bufferSeconds(),
                bufferThresholdBytes.isPresent()
                        ? size(bufferThresholdBytes, "--buffer-threshold-bytes")
                        : otherwise.bufferBytes(),
                size(maxObjectBytes, "--max-object-bytes").orElse(otherwise.maxObjectBytes()));
    }

    RunOptions options(Path workingDirectory) throws ConfigException {
        return new RunOptions(
                ledger(),
                state.isPresent()
                        ? Optional.of(Locations.path(state.get(), workingDirectory, new Setting("--state")))
                        : Optional.empty(),
                staging(workingDirectory),
                size(stagingMax, "--staging-max"),
                threads.isPresent()
                        ? SettingValues.threads(threads.get(), new Setting("--threads"))
                        : Runtime.getRuntime().availableProcessors(),
                size(memory, "--memory"),
                !noFlush,
                sharedSink,
                acceptRoutingChange);
    }

    private LedgerPlace ledger() throws ConfigException {
        return ledger.isPresent() ? LedgerPlace.parse(ledger.get(), "--ledger") : LedgerPlace.EMBEDDED;
    }

    private Optional<String> staging(Path workingDirectory) throws ConfigException {
        if (staging.isEmpty()) {
            return Optional.empty();
        }
        Location location = Locations.parse(staging.get(), workingDirectory, new Setting("--staging"));
        return Optional.of(location.describe());
    }

    OutputMode output(Terminal terminal) throws ConfigException {
        if (output.isEmpty()) {
            return terminal.isStandardError() ? OutputMode.PROGRESS : OutputMode.TEXT;
        }
        return switch (output.get().toLowerCase(Locale.ROOT)) {
            case "progress" -> OutputMode.PROGRESS;
            case "text" -> OutputMode.TEXT;
            case "json" -> OutputMode.JSON;
            default ->
                throw new Setting("--output")
                        .error(SettingValues.quote(output.get()) + " is not one of progress, text, json");
        };
    }

    private static Optional<Long> size(Optional<String> text, String flag) throws ConfigException {
        return text.isPresent() ? Optional.of(SettingValues.size(text.get(), new Setting(flag))) : Optional.empty();
    }
}
