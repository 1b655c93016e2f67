package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which registry, and how it is shown: the flags of all {@code elt} commands. */
final class RegistryFlags {
    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "The registry of this machine lies there; default: a folder of the user's.")
    Optional<String> state = Optional.empty();

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description = "A registry elsewhere instead: stet serve, or the one on AWS.")
    Optional<String> endpoint = Optional.empty();

    @Option(names = "--region", paramLabel = "REGION", description = "AWS region for signing calls to --endpoint.")
    Optional<String> region = Optional.empty();

    @Option(
            names = "--token",
            paramLabel = "JWT",
            description = "Bearer token for --endpoint; without it calls are signed with the AWS credentials found.")
    Optional<String> token = Optional.empty();

    @Option(
            names = "--output",
            paramLabel = "text|json",
            completionCandidates = Candidates.Answers.class,
            description = "text (default), or json: the answer of the API alone on standard output.")
    Optional<String> output = Optional.empty();

    @Option(names = "--debug", description = "Show the stack trace of an error.")
    boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This help.")
    boolean help;

    RegistryClient open(Surroundings surroundings) throws ConfigException, IOException {
        if (endpoint.isEmpty()) {
            if (token.isPresent()) {
                throw new Setting("--token").error("is for --endpoint URL; the registry of this machine takes none");
            }
            return LocalRegistry.open(surroundings, state);
        }
        if (state.isPresent()) {
            throw new Setting("--state")
                    .error("is the registry of this machine; --endpoint is another one: give one of them");
        }
        return RemoteRegistry.at(endpoint.get(), region, token);
    }

    boolean json() throws ConfigException {
        return switch (output.orElse("text")) {
            case "json" -> true;
            case "text" -> false;
            default ->
                throw new Setting("--output").error(SettingValues.quote(output.get()) + " is not one of text, json");
        };
    }
}
