package dev.stet.infra;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.lambda.Code;
import software.constructs.Construct;

/** All functions but the registry's, each with the grants that its requests need (docs/permissions.md is the table of them). */
final class Functions extends Construct {
    private static final Duration LONGEST = Duration.minutes(15);
    private static final int TMP = 512;
    /** Gives a whole virtual processor. */
    private static final int ONE_PROCESSOR = 1_769;
    /** Nearly two; new accounts allow no more. */
    private static final int MOST_MEMORY = 3_008;

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
    private final StetFunction lag;

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
        List<Grant> rows = grants.rows("Get", "Query", "Update");
        // The row of an object in parts goes with its last one.
        List<Grant> copies = grants.rows("Get", "Query", "Update", "Delete");
        plan = function(
                "Plan",
                "PlanHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grant.all(
                        grants.rows("Get", "Update"),
                        grants.listSource(),
                        grants.listSink(),
                        grants.readInventories(),
                        grants.writeStaging()));
        copy = function(
                "Copy",
                "CopyHandler",
                MOST_MEMORY,
                settings.workers().copy(),
                Grant.all(copies, grants.readSource(), grants.writeStaging(), grants.readStaging()));
        nextRound = function(
                "NextRound",
                "NextRoundHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grant.all(grants.rows("Get"), grants.writeStaging(), grants.readStaging(), grants.listStaging()));
        finishRun = function(
                "FinishRun",
                "FinishRunHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grant.all(rows, grants.writeStaging(), grants.readStaging()));
        planCompaction = function(
                "PlanCompaction",
                "PlanCompactionHandler",
                MOST_MEMORY,
                Optional.empty(),
                Grant.all(
                        grants.rows("Get", "Query", "Update", "ConditionCheck"),
                        grants.writeStaging(),
                        grants.readStaging(),
                        grants.listStaging()));
        compact = function(
                "Compact",
                "CompactHandler",
                ONE_PROCESSOR,
                settings.workers().land(),
                Grant.all(rows, grants.writeStaging(), grants.readStaging(), grants.listStaging(), grants.land()));
        finishCompaction = function(
                "FinishCompaction",
                "FinishCompactionHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grant.all(
                        rows, grants.writeStaging(), grants.readStaging(), grants.listStaging(), grants.abortAtSink()));
        Map<String, String> starts = new HashMap<>();
        starts.put("STET_COMPACT_STATE_MACHINE", compactStateMachineArn);
        schedule = function(
                "CompactionSchedule",
                "CompactionScheduleHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grant.all(
                        grants.rows("Get", "Query"),
                        List.of(Grant.allow(
                                "StartCompaction", List.of(compactStateMachineArn), "states:StartExecution"))),
                starts);
        event = function(
                "Event",
                "S3EventHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grant.all(copies, grants.readSource(), grants.writeStaging(), grants.listSink()));
        sweep = function(
                "Sweep",
                "SweepHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grant.all(grants.rows("Get", "Query", "Update", "Delete"), grants.sweepStaging()));
        lag = lag(grants);
    }

    /** How far a pipeline is behind, when somebody asks. */
    private StetFunction lag(Grants grants) {
        return function(
                "Lag",
                "LagHandler",
                ONE_PROCESSOR,
                Optional.empty(),
                Grant.all(grants.rows("Get", "Query"), grants.listSource()));
    }

    private StetFunction function(
            String id, String handler, int memory, Optional<Integer> concurrency, List<Grant> granted) {
        return function(id, handler, memory, concurrency, granted, Map.of());
    }

    private StetFunction function(
            String id,
            String handler,
            int memory,
            Optional<Integer> concurrency,
            List<Grant> granted,
            Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.putAll(more);
        return new StetFunction(
                this, id, code, new StetFunction.Shape(handler, memory, TMP, LONGEST, concurrency), variables, granted);
    }

    /** A function that the definitions name, by its name there. */
    StetFunction named(String placeholder) {
        return switch (placeholder) {
            case "PlanFunction" -> plan;
            case "CopyFunction" -> copy;
            case "NextRoundFunction" -> nextRound;
            case "FinishRunFunction" -> finishRun;
            case "PlanCompactionFunction" -> planCompaction;
            case "CompactFunction" -> compact;
            case "FinishCompactionFunction" -> finishCompaction;
            default -> throw new IllegalArgumentException(placeholder);
        };
    }

    StetFunction copy() {
        return copy;
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

    StetFunction lag() {
        return lag;
    }
}
