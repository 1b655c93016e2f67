package dev.stet.infra;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.lambda.Code;
import software.constructs.Construct;

/** All functions but the registry's, each with the grants that its requests need (docs/permissions.md is the table of them). */
final class Functions extends Construct {
    private static final Duration LONGEST = Duration.minutes(15);
    private static final int TMP = 512;
    /** Gives a whole virtual processor. */
    private static final int ONE_PROCESSOR = 1_769;

    private final Code code;
    private final Map<String, String> environment;

    private final StetFunction plan;
    private final StetFunction copy;
    private final StetFunction nextRound;
    private final StetFunction finishRun;
    private final StetFunction planCompaction;
    private final StetFunction compact;
    private final StetFunction finishCompaction;
    private final StetFunction schedule;
    private final StetFunction event;
    private final StetFunction sweep;

    Functions(
            Construct scope,
            String id,
            Settings settings,
            Grants grants,
            Code code,
            Map<String, String> environment,
            String compactStateMachineArn) {
        super(scope, id);
        this.code = code;
        this.environment = environment;
        List<PolicyStatement> base = Grants.all(grants.ledger(), grants.keys());
        plan = function(
                "Plan",
                "PlanHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grants.all(base, grants.listSource(), grants.listSink(), grants.stage()));
        copy = function(
                "Copy",
                "CopyHandler",
                2 * ONE_PROCESSOR,
                settings.copyConcurrency(),
                Grants.all(base, grants.readSource(), grants.stage()));
        nextRound = function("NextRound", "NextRoundHandler", ONE_PROCESSOR, Optional.empty(), Grants.all(base, grants.stage()));
        finishRun = function(
                "FinishRun",
                "FinishRunHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grants.all(base, grants.listSource(), grants.stage(), grants.sweepStaging()));
        planCompaction = function(
                "PlanCompaction",
                "PlanCompactionHandler",
                2 * ONE_PROCESSOR,
                Optional.empty(),
                Grants.all(base, grants.stage()));
        compact = function(
                "Compact",
                "CompactHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grants.all(base, grants.stage(), grants.land()));
        finishCompaction = function(
                "FinishCompaction",
                "FinishCompactionHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grants.all(base, grants.stage(), grants.land(), grants.sweepStaging()));
        Map<String, String> starts = new HashMap<>();
        starts.put("STET_COMPACT_STATE_MACHINE", compactStateMachineArn);
        schedule = function(
                "CompactionSchedule",
                "CompactionScheduleHandler",
                ONE_PROCESSOR,
                Optional.of(1),
                Grants.all(base, List.of(Grants.allow("StartCompaction", List.of(compactStateMachineArn), "states:StartExecution"))),
                starts);
        event = function(
                "Event",
                "S3EventHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grants.all(base, grants.readSource(), grants.stage(), grants.listSink()));
        sweep = function("Sweep", "SweepHandler", ONE_PROCESSOR, Optional.of(1), Grants.all(base, grants.sweepStaging()));
    }

    private StetFunction function(
            String id, String handler, int memory, Optional<Integer> concurrency, List<PolicyStatement> statements) {
        return function(id, handler, memory, concurrency, statements, Map.of());
    }

    private StetFunction function(
            String id,
            String handler,
            int memory,
            Optional<Integer> concurrency,
            List<PolicyStatement> statements,
            Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.putAll(more);
        return new StetFunction(
                this,
                id,
                code,
                new StetFunction.Shape(handler, memory, TMP, LONGEST, concurrency),
                variables,
                statements);
    }

    /** The functions that the definitions name, by the name they have there. */
    Map<String, StetFunction> named() {
        return Map.of(
                "PlanFunction", plan,
                "CopyFunction", copy,
                "NextRoundFunction", nextRound,
                "FinishRunFunction", finishRun,
                "PlanCompactionFunction", planCompaction,
                "CompactFunction", compact,
                "FinishCompactionFunction", finishCompaction);
    }

    StetFunction schedule() {
        return schedule;
    }

    StetFunction event() {
        return event;
    }

    StetFunction sweep() {
        return sweep;
    }

    StetFunction finishRun() {
        return finishRun;
    }
}
