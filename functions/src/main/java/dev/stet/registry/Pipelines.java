package dev.stet.registry;

import dev.stet.registry.RegistryStore.Change;
import dev.stet.registry.RegistryStore.Delete;
import dev.stet.registry.RegistryStore.Document;
import dev.stet.registry.RegistryStore.Join;
import dev.stet.registry.RegistryStore.Leave;
import dev.stet.registry.RegistryStore.Put;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** The registered pipelines. Thread-safe, for many processes at once. */
public final class Pipelines {
    private static final String ALL = "PIPELINES";

    private final RegistryStore store;
    private final Clock clock;

    public Pipelines(RegistryStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    static String id(String name) {
        return "PIPELINE#" + name;
    }

    static RegistryException unknown(String name, String field) {
        return new RegistryException(
                ErrorCode.NotFound, "there is no pipeline " + name + "; CreatePipeline makes one", Optional.of(field));
    }

    public Optional<Pipeline> find(String name) throws IOException {
        return store.find(id(name)).map(d -> Pipeline.stored(d.body()));
    }

    /** @param answer what the call is answered, kept with its token */
    ObjectNode create(PipelineDefinition definition, Optional<ClientToken> token, Function<Pipeline, ObjectNode> answer)
            throws IOException, RegistryException {
        return Attempts.repeat(() -> {
            // The pipeline first: whoever made it under this token has stored its answer by then.
            boolean exists = store.find(id(definition.name())).isPresent();
            if (token.isPresent()) {
                Optional<ObjectNode> before = token.get().answer(store);
                if (before.isPresent()) {
                    return before;
                }
            }
            if (exists) {
                throw new RegistryException(
                        ErrorCode.PipelineExists,
                        "there is a pipeline " + definition.name() + " already; UpdatePipeline changes it",
                        Optional.of("name"));
            }
            Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
            Pipeline pipeline = new Pipeline(definition, 1, now, now, List.of());
            ObjectNode answered = answer.apply(pipeline);
            List<Change> changes = new ArrayList<>();
            changes.add(new Put(id(definition.name()), 0, pipeline.stored()));
            changes.add(new Join(ALL, definition.name()));
            token.ifPresent(t -> changes.add(t.put(answered)));
            return store.write(changes) ? Optional.of(answered) : Optional.empty();
        });
    }

    /** A changed pipeline. @param before as it was */
    record Updated(Pipeline before, Pipeline after) {}

    /** @param change makes the new definition of the one that is there */
    Updated update(String name, Optional<Long> revision, Redefinition change) throws IOException, RegistryException {
        return Attempts.repeat(() -> {
            Document found = store.find(id(name)).orElseThrow(() -> unknown(name, "name"));
            Pipeline before = Pipeline.stored(found.body());
            if (revision.isPresent() && revision.get() != before.revision()) {
                throw new RegistryException(
                        ErrorCode.RevisionConflict,
                        "the pipeline is at revision " + before.revision() + ", not " + revision.get()
                                + "; look at it again before changing it",
                        Optional.of("revision"));
            }
            Pipeline after = new Pipeline(
                    change.of(before.definition()),
                    before.revision() + 1,
                    before.createdAt(),
                    clock.instant().truncatedTo(ChronoUnit.MILLIS),
                    before.activeRuns());
            return store.write(List.of(new Put(id(name), found.version(), after.stored())))
                    ? Optional.of(new Updated(before, after))
                    : Optional.empty();
        });
    }

    /** A new definition from an old one. */
    interface Redefinition {
        PipelineDefinition of(PipelineDefinition before) throws RegistryException;
    }

    void delete(String name) throws IOException, RegistryException {
        boolean _ = Attempts.repeat(() -> {
            Document found = store.find(id(name)).orElseThrow(() -> unknown(name, "name"));
            Pipeline pipeline = Pipeline.stored(found.body());
            if (!pipeline.activeRuns().isEmpty()) {
                throw busy(pipeline, "StopRun ends it");
            }
            boolean gone = store.write(List.of(new Delete(id(name), found.version()), new Leave(ALL, name)))
                    // Refused for our own doing, when the answer to the first try was lost.
                    || store.find(id(name)).isEmpty();
            return gone ? Optional.of(true) : Optional.empty();
        });
    }

    static RegistryException busy(Pipeline pipeline, String help) {
        return new RegistryException(
                ErrorCode.PipelineBusy,
                "pipeline " + pipeline.name() + " has a run that has not ended: "
                        + pipeline.activeRuns().getFirst() + "; " + help);
    }

    /** In order of names. */
    public Page<Pipeline> list(Optional<String> after, int limit) throws IOException {
        List<String> names = store.names(ALL, after, false, limit + 1);
        List<String> shown = names.subList(0, Math.min(limit, names.size()));
        List<Pipeline> pipelines = store
                .findAll(shown.stream().map(Pipelines::id).toList())
                .stream()
                .flatMap(Optional::stream) // deleted meanwhile
                .map(d -> Pipeline.stored(d.body()))
                .toList();
        return new Page<>(pipelines, names.size() > limit ? Optional.of(shown.getLast()) : Optional.empty());
    }

    /** The part of a write that notes a run's beginning or end with its pipeline; none when the pipeline is gone. */
    static List<Change> activeRuns(Optional<Document> found, UnaryOperator<List<String>> change) {
        if (found.isEmpty()) {
            return List.of();
        }
        Pipeline pipeline = Pipeline.stored(found.get().body());
        Pipeline next = pipeline.withActiveRuns(change.apply(pipeline.activeRuns()));
        return List.of(new Put(id(pipeline.name()), found.get().version(), next.stored()));
    }
}
