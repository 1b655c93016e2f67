package dev.stet.cli;

import dev.stet.registry.Action;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.Json;
import dev.stet.registry.RegistryException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "elt",
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        header = "The registry: pipelines that are declared once, and their runs.",
        description = {
            "",
            "Without --endpoint it is the registry of this machine, and a run is a process of its own here. With it, it is",
            "stet serve or the registry on AWS.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stet elt create-pipeline --name gdpr --source s3://devices/raw/ --sink s3://lake/landing \\",
            "            --namespace-fields event_type --batch-partition-fields tenant_id --batch-time-fields time",
            "  stet elt start-run --pipeline-name gdpr --wait",
            "  stet elt describe-run --run-id 01JNG4W8Q0ZC6V5T9Y3KXHM2AE --watch"
        })
final class EltCommand implements Callable<Integer> {
    private final Errors errors;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This help.")
    boolean help;

    private EltCommand(Errors errors) {
        this.errors = errors;
    }

    /** @param whole with the commands below it */
    static CommandLine line(Surroundings surroundings, Errors errors, boolean whole) {
        CommandLine line = new CommandLine(new EltCommand(errors));
        if (!whole) {
            return line;
        }
        return line.addSubcommand(new PipelineCommands.Create(surroundings))
                .addSubcommand(new PipelineCommands.Update(surroundings))
                .addSubcommand(new PipelineCommands.Describe(surroundings))
                .addSubcommand(new PipelineCommands.ListAll(surroundings))
                .addSubcommand(new PipelineCommands.Delete(surroundings))
                .addSubcommand(new RunCommands.Start(surroundings))
                .addSubcommand(new RunCommands.Describe(surroundings))
                .addSubcommand(new RunCommands.ListAll(surroundings))
                .addSubcommand(new RunCommands.Stop(surroundings))
                .addSubcommand(new RunCommands.Report(surroundings))
                .addSubcommand(new ExecuteRunCommand(surroundings));
    }

    @Override
    public Integer call() {
        return errors.usage("name a command, for instance list-pipelines", "stet elt");
    }

    /** One action: its flags make a request, its answer is shown. */
    abstract static class One implements Callable<Integer> {
        final Surroundings surroundings;

        @Mixin
        RegistryFlags registry = new RegistryFlags();

        One(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() throws Exception {
            boolean json = registry.json();
            try (RegistryClient client = registry.open(surroundings)) {
                return run(client, new Answers(surroundings.out(), json));
            } catch (RegistryException e) {
                throw refused(e);
            }
        }

        abstract int run(RegistryClient client, Answers answers) throws Exception;
    }

    /** What is wrong with the request is wrong usage; anything else is a failure. */
    static Exception refused(RegistryException e) {
        return e.code() == ErrorCode.InvalidRequest
                ? new dev.stet.config.ConfigException(e.text())
                : new IOException(e.text(), e);
    }

    /** All of a list, or the one part that is asked for. */
    static ObjectNode list(
            RegistryClient client,
            Action action,
            String field,
            ObjectNode request,
            Optional<Integer> maxResults,
            Optional<String> nextToken)
            throws RegistryException, IOException {
        nextToken.ifPresent(t -> request.put("nextToken", t));
        if (maxResults.isPresent()) {
            return client.call(action, request.put("maxResults", maxResults.get()));
        }
        ObjectNode all = client.call(action, request.put("maxResults", 1_000));
        while (all.has("nextToken")) {
            ObjectNode more = client.call(
                    action, request.put("nextToken", all.get("nextToken").asString()));
            all.remove("nextToken");
            more.get(field).forEach(all.withArray(field)::add);
            more.optional("nextToken").ifPresent(t -> all.set("nextToken", t));
        }
        return all;
    }

    static ObjectNode request() {
        return Json.object();
    }
}
