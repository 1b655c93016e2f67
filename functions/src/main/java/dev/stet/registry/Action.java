package dev.stet.registry;

import java.util.Optional;

/** The actions of the registry, by the names of the contract. */
public enum Action {
    CreatePipeline,
    UpdatePipeline,
    DescribePipeline,
    ListPipelines,
    DeletePipeline,
    StartRun,
    DescribeRun,
    ListRuns,
    StopRun,
    ReportRun;

    public static Optional<Action> named(String name) {
        for (Action action : values()) {
            if (action.name().equals(name)) {
                return Optional.of(action);
            }
        }
        return Optional.empty();
    }

    /** What a token must say to allow it. */
    public String scope() {
        return "elt:" + name();
    }
}
