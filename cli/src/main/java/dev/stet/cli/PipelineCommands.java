package dev.stet.cli;

import dev.stet.registry.Action;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The commands on pipelines. */
final class PipelineCommands {
    private PipelineCommands() {}

    @Command(
            name = "create-pipeline",
            sortOptions = false,
            abbreviateSynopsis = true,
            header = "Registers a pipeline.",
            description = {
                "",
                "Between directories and s3:// it is a copy, and says where records go. Others are run by another engine,",
                "which ends their runs with report-run.",
                ""
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  stet elt create-pipeline --name gdpr --source raw/ --sink landing/ --namespace-fields event_type",
                "  stet elt create-pipeline --name gdpr --config stet.yml --pipeline gdpr_migration",
                "  stet elt create-pipeline --name orders-bronze --source postgres://orders --sink iceberg://lake/orders"
            })
    static final class Create extends EltCommand.One {
        @Mixin
        DefinitionFlags definition = new DefinitionFlags();

        @Option(
                names = "--client-token",
                paramLabel = "TOKEN",
                description = "The same request with the same token happens once.")
        Optional<String> clientToken = Optional.empty();

        Create(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            ObjectNode request = definition.request(surroundings);
            clientToken.ifPresent(t -> request.put("clientToken", t));
            answers.show(client.call(Action.CreatePipeline, request));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "update-pipeline",
            sortOptions = false,
            abbreviateSynopsis = true,
            header = "Changes a pipeline; what is not given stays. Says what that means for what was copied.")
    static final class Update extends EltCommand.One {
        @Mixin
        DefinitionFlags definition = new DefinitionFlags();

        @Option(names = "--revision", paramLabel = "N", description = "Only if it is still at this revision.")
        Optional<Long> revision = Optional.empty();

        Update(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            ObjectNode request = definition.request(surroundings);
            revision.ifPresent(r -> request.put("revision", r));
            answers.show(client.call(Action.UpdatePipeline, request));
            return ExitCode.OK;
        }
    }

    @Command(name = "describe-pipeline", sortOptions = false, header = "Shows a pipeline.")
    static final class Describe extends EltCommand.One {
        @Option(names = "--name", paramLabel = "NAME", required = true, description = "The pipeline's name.")
        String name;

        Describe(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            answers.show(
                    client.call(Action.DescribePipeline, EltCommand.request().put("name", name)));
            return ExitCode.OK;
        }
    }

    @Command(name = "list-pipelines", sortOptions = false, header = "Lists pipelines by name.")
    static final class ListAll extends EltCommand.One {
        @Option(names = "--max-results", paramLabel = "N", description = "At most so many; all by default.")
        Optional<Integer> maxResults = Optional.empty();

        @Option(names = "--next-token", paramLabel = "TOKEN", description = "Go on where the last answer ended.")
        Optional<String> nextToken = Optional.empty();

        ListAll(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            answers.list(
                    EltCommand.list(
                            client, Action.ListPipelines, "pipelines", EltCommand.request(), maxResults, nextToken),
                    "pipelines",
                    "name",
                    "type",
                    "source",
                    "sink");
            return ExitCode.OK;
        }
    }

    @Command(
            name = "delete-pipeline",
            sortOptions = false,
            header = "Forgets a pipeline. Its runs, its ledger and what has landed stay.")
    static final class Delete extends EltCommand.One {
        @Option(names = "--name", paramLabel = "NAME", required = true, description = "The pipeline's name.")
        String name;

        Delete(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            answers.show(client.call(Action.DeletePipeline, EltCommand.request().put("name", name)));
            return ExitCode.OK;
        }
    }
}
