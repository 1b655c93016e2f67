package dev.stet.cli;

import dev.stet.registry.Action;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The commands on runs. */
final class RunCommands {
    private RunCommands() {}

    @Command(
            name = "start-run",
            sortOptions = false,
            header = "Starts a run of a pipeline.",
            exitCodeListHeading = "%nExit codes with --wait:%n",
            exitCodeList = {
                "0:SUCCEEDED",
                "1:FAILED or STOPPED",
                "3:SUCCEEDED, but some source objects could not be read; the next run tries them again"
            })
    static final class Start extends EltCommand.One {
        @Option(names = "--pipeline-name", paramLabel = "NAME", required = true, description = "Of which pipeline.")
        String pipelineName;

        @Option(
                names = "--client-token",
                paramLabel = "TOKEN",
                description = "The same request with the same token starts one run.")
        Optional<String> clientToken = Optional.empty();

        @Option(names = "--allow-concurrent", description = "Even beside a run that has not ended.")
        boolean allowConcurrent;

        @Option(
                names = "--wait",
                description = "Watch it to its end, and exit as it ends. Ctrl-C ends the watching, not the run.")
        boolean wait;

        Start(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            ObjectNode request = EltCommand.request().put("pipelineName", pipelineName);
            clientToken.ifPresent(t -> request.put("clientToken", t));
            if (allowConcurrent) {
                request.put("allowConcurrent", true);
            }
            ObjectNode started = client.call(Action.StartRun, request);
            if (wait) {
                return new Watch(surroundings, client, answers)
                        .toTheEnd(started.get("runId").asString());
            }
            answers.show(started);
            return ExitCode.OK;
        }
    }

    @Command(name = "describe-run", sortOptions = false, header = "Shows a run with its counters.")
    static final class Describe extends EltCommand.One {
        @Option(names = "--run-id", paramLabel = "ID", required = true, description = "The run's id.")
        String runId;

        @Option(names = "--watch", description = "Watch it to its end, and exit as it ends.")
        boolean watch;

        Describe(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            if (watch) {
                return new Watch(surroundings, client, answers).toTheEnd(runId);
            }
            answers.show(client.call(Action.DescribeRun, EltCommand.request().put("runId", runId)));
            return ExitCode.OK;
        }
    }

    @Command(name = "list-runs", sortOptions = false, header = "Lists runs, newest first.")
    static final class ListAll extends EltCommand.One {
        @Option(names = "--pipeline-name", paramLabel = "NAME", description = "Only of this pipeline.")
        Optional<String> pipelineName = Optional.empty();

        @Option(names = "--max-results", paramLabel = "N", description = "At most so many; all by default.")
        Optional<Integer> maxResults = Optional.empty();

        @Option(names = "--next-token", paramLabel = "TOKEN", description = "Go on where the last answer ended.")
        Optional<String> nextToken = Optional.empty();

        ListAll(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            ObjectNode request = EltCommand.request();
            pipelineName.ifPresent(n -> request.put("pipelineName", n));
            answers.list(
                    EltCommand.list(client, Action.ListRuns, "runs", request, maxResults, nextToken),
                    "runs",
                    "runId",
                    "pipelineName",
                    "status",
                    "startedAt",
                    "recordsCopied");
            return ExitCode.OK;
        }
    }

    @Command(
            name = "stop-run",
            sortOptions = false,
            header = "Asks a run to stop: it commits what is whole, and the next run goes on from there.")
    static final class Stop extends EltCommand.One {
        @Option(names = "--run-id", paramLabel = "ID", required = true, description = "The run's id.")
        String runId;

        Stop(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            answers.show(client.call(Action.StopRun, EltCommand.request().put("runId", runId)));
            return ExitCode.OK;
        }
    }

    @Command(name = "report-run", sortOptions = false, header = "Ends a run of a pipeline that another engine runs.")
    static final class Report extends EltCommand.One {
        @Option(names = "--run-id", paramLabel = "ID", required = true, description = "The run's id.")
        String runId;

        @Option(
                names = "--status",
                paramLabel = "SUCCEEDED|FAILED",
                required = true,
                completionCandidates = Candidates.Ends.class,
                description = "How it ended.")
        String status;

        @Option(names = "--message", paramLabel = "TEXT", description = "What went wrong.")
        Optional<String> message = Optional.empty();

        Report(Surroundings surroundings) {
            super(surroundings);
        }

        @Override
        int run(RegistryClient client, Answers answers) throws Exception {
            ObjectNode request = EltCommand.request().put("runId", runId).put("status", status);
            message.ifPresent(m -> request.put("message", m));
            answers.show(client.call(Action.ReportRun, request));
            return ExitCode.OK;
        }
    }
}
