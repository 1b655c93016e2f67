package dev.stet.cli;

import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import dev.stet.registry.Action;
import dev.stet.registry.Json;
import dev.stet.registry.LocalBuffers;
import dev.stet.registry.PipelineDefinition;
import dev.stet.registry.RegistryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "status",
        sortOptions = false,
        header = "Shows the registry of this machine: pipelines, runs, what waits to land, what was set aside.")
final class StatusCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "The registry lies there; default: a folder of the user's.")
    Optional<String> state = Optional.empty();

    @Option(
            names = "--output",
            paramLabel = "text|json",
            completionCandidates = Candidates.Answers.class,
            description = "text (default) or json.")
    Optional<String> output = Optional.empty();

    @Option(names = "--debug", description = "Show the stack trace of an error.")
    boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This help.")
    boolean help;

    StatusCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        String mode = output.orElse("text");
        if (!mode.equals("text") && !mode.equals("json")) {
            throw new Setting("--output").error(SettingValues.quote(mode) + " is not one of text, json");
        }
        ObjectNode status = read();
        if (mode.equals("json")) {
            surroundings.out().println(Json.text(status));
        } else {
            surroundings.out().print(text(status));
        }
        return ExitCode.OK;
    }

    private ObjectNode read() throws Exception {
        ObjectNode status = Json.object();
        ArrayNode pipelines = status.putArray("pipelines");
        try (LocalRegistry registry = LocalRegistry.open(surroundings, state)) {
            ObjectNode all = EltCommand.list(
                    registry, Action.ListPipelines, "pipelines", Json.object(), Optional.empty(), Optional.empty());
            for (JsonNode pipeline : all.get("pipelines")) {
                pipelines.add(pipeline(registry, (ObjectNode) pipeline));
            }
        } catch (RegistryException e) {
            throw EltCommand.refused(e);
        }
        return status;
    }

    private ObjectNode pipeline(LocalRegistry registry, ObjectNode pipeline) throws RegistryException, IOException {
        ObjectNode shown = Json.object();
        for (String field : new String[] {"name", "type", "source", "sink", "revision"}) {
            shown.set(field, pipeline.get(field));
        }
        ObjectNode runs = EltCommand.list(
                registry,
                Action.ListRuns,
                "runs",
                Json.object().put("pipelineName", pipeline.get("name").asString()),
                Optional.empty(),
                Optional.empty());
        Map<String, Long> quarantined = new TreeMap<>();
        ArrayNode active = shown.putArray("activeRuns");
        for (JsonNode run : runs.get("runs")) {
            run.get("recordsQuarantined")
                    .properties()
                    .forEach(e -> quarantined.merge(e.getKey(), e.getValue().asLong(), Long::sum));
            if (!run.has("endedAt")) {
                active.add(run);
            }
        }
        Optional<JsonNode> last = runs.get("runs").valueStream().findFirst();
        last.ifPresent(r -> shown.set("lastRun", r));
        shown.put("runs", runs.get("runs").size());
        buffers(shown, registry.folder(), pipeline);
        ObjectNode aside = shown.putObject("recordsQuarantined");
        quarantined.forEach(aside::put);
        return shown;
    }

    private void buffers(ObjectNode shown, Path folder, ObjectNode pipeline) throws RegistryException, IOException {
        LocalBuffers waiting =
                LocalBuffers.read(folder, PipelineDefinition.of(pipeline, surroundings.workingDirectory()));
        ObjectNode json = shown.putObject("notLanded")
                .put("commits", waiting.commits())
                .put("records", waiting.records())
                .put("bytes", waiting.bytes());
        waiting.oldest().ifPresent(at -> json.put("since", at.toString()));
    }

    private static String text(ObjectNode status) {
        StringBuilder text = new StringBuilder();
        for (JsonNode p : status.get("pipelines")) {
            text.append(p.get("name").asString())
                    .append(" (")
                    .append(p.get("type").asString())
                    .append("): ")
                    .append(place(p.get("source")))
                    .append(" to ")
                    .append(place(p.get("sink")))
                    .append('\n');
            p.optional("lastRun")
                    .ifPresentOrElse(
                            run -> text.append("  last run    ")
                                    .append(run(run))
                                    .append('\n'),
                            () -> text.append("  no run yet\n"));
            JsonNode waiting = p.get("notLanded");
            if (waiting.get("commits").asLong() > 0) {
                text.append("  not landed  ")
                        .append(Units.count(waiting.get("records").asLong(), "record"))
                        .append(", ")
                        .append(Units.bytes(waiting.get("bytes").asLong()))
                        .append(", since ")
                        .append(waiting.get("since").asString())
                        .append('\n');
            }
            p.get("recordsQuarantined")
                    .properties()
                    .forEach(e -> text.append("  set aside   ")
                            .append(Units.number(e.getValue().asLong()))
                            .append(' ')
                            .append(e.getKey())
                            .append('\n'));
        }
        return text.isEmpty() ? "no pipelines yet; stet elt create-pipeline makes one\n" : text.toString();
    }

    private static String place(JsonNode place) {
        return Errors.oneLine(place.isString() ? place.asString() : Json.text(place));
    }

    private static String run(JsonNode run) {
        return run.get("runId").asString() + " " + run.get("status").asString() + ", "
                + Units.count(run.get("recordsCopied").asLong(), "record") + ", started "
                + run.get("startedAt").asString() + " by "
                + Errors.oneLine(run.get("startedBy").asString())
                + run.optional("lastError")
                        .map(e -> ": " + Errors.oneLine(e.asString()))
                        .orElse("");
    }
}
