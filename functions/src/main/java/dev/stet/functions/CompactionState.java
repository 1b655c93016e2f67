package dev.stet.functions;

import dev.stet.compact.CompactionSteps.Plan;
import dev.stet.config.ConfigException;
import dev.stet.copy.CommitIds;
import dev.stet.ledger.CommitState;
import java.io.IOException;
import java.time.Clock;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whose compaction it is, a run's at its end or a pipeline's by the schedule, and its plan once there is one. The {@code compaction} of an execution's state.
 *
 * @param until epoch milliseconds when it began: it ends when all is landed that was committed by then
 * @param again some tasks may have been landed before
 */
record CompactionState(
        Optional<String> runId, Optional<String> pipelineName, long until, boolean again, Optional<Plan> plan) {
    /** One that begins now. */
    static CompactionState begun(JsonNode event, Clock clock) {
        return new CompactionState(
                Events.optionalText(event, "runId"),
                Events.optionalText(event, "pipelineName"),
                clock.millis(),
                false,
                Optional.empty());
    }

    static CompactionState of(JsonNode json) {
        return new CompactionState(
                Events.optionalText(json, "runId"),
                Events.optionalText(json, "pipelineName"),
                Events.number(json, "until"),
                json.path("again").asBoolean(false),
                json.has("plan") ? Optional.of(plan(Events.object(json, "plan"))) : Optional.empty());
    }

    private static Plan plan(JsonNode json) {
        return new Plan(
                Events.number(json, "generation"),
                Events.text(json, "name"),
                Events.text(json, "itemsKey"),
                Events.number(json, "tasks"),
                Events.number(json, "outputs"),
                Events.number(json, "bytes"),
                json.path("fresh").asBoolean(false));
    }

    CompactionState with(Optional<Plan> made) {
        return new CompactionState(
                runId, pipelineName, until, made.isPresent() && !made.get().fresh(), made);
    }

    CompactionState onceMore() {
        return new CompactionState(runId, pipelineName, until, true, plan);
    }

    /** For the next generation. */
    CompactionState afterwards() {
        return new CompactionState(runId, pipelineName, until, false, Optional.empty());
    }

    /**
     * Whether it has something to land: a run what was committed when this began and what it committed itself, a schedule what is due. A schedule that has landed a generation leaves one that somebody
     * else has opened since to them.
     */
    boolean isWanted(Site site, Clock clock) throws IOException {
        if (runId.isEmpty()) {
            return plan.isEmpty() ? site.compactionIsDue(clock) : site.isDueAndNoneOpen(clock);
        }
        String mark = CommitIds.mark(runId.get());
        Set<String> waiting = new HashSet<>();
        Set<String> wanted = new HashSet<>();
        site.ledger().forEach(CommitState.COMMITTED, c -> {
            boolean mine = CommitIds.isMarked(c.id(), mark);
            if (mine) {
                // Parts that other runs made, and this one made count.
                wanted.addAll(c.details().orElseThrow().parts());
            }
            if (mine || c.changedAt() <= until) {
                wanted.add(c.id());
            }
            waiting.add(c.id());
        });
        return !Collections.disjoint(wanted, waiting);
    }

    Plan requiredPlan() {
        return plan.orElseThrow(() -> new RefusedRunException("the event has no plan of a compaction"));
    }

    ObjectNode json() {
        ObjectNode json =
                JsonMapper.shared().createObjectNode().put("until", until).put("again", again);
        runId.ifPresent(id -> json.put("runId", id));
        pipelineName.ifPresent(name -> json.put("pipelineName", name));
        plan.ifPresent(p -> json.putObject("plan")
                .put("generation", p.generation())
                .put("name", p.name())
                .put("itemsKey", p.itemsKey())
                .put("tasks", p.tasks())
                .put("outputs", p.outputs())
                .put("bytes", p.bytes())
                .put("fresh", p.fresh()));
        return json;
    }

    Site site(Registry registry) throws IOException, ConfigException {
        if (runId.isPresent()) {
            return registry.site(registry.run(runId.get()));
        }
        return registry.site(pipelineName.orElseThrow(
                () -> new RefusedRunException("the event names neither a runId nor a pipelineName")));
    }

    BooleanSupplier stopped(Registry registry) {
        return runId.isPresent() ? registry.stopped(runId.get()) : () -> false;
    }
}
