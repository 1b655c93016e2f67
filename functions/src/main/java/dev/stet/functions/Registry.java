package dev.stet.functions;

import dev.stet.config.ConfigException;
import dev.stet.registry.DynamoDbRegistryStore;
import dev.stet.registry.Page;
import dev.stet.registry.Pipeline;
import dev.stet.registry.PipelineDefinition;
import dev.stet.registry.Pipelines;
import dev.stet.registry.RegistryStore;
import dev.stet.registry.Run;
import dev.stet.registry.Runs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What functions ask of the registry. */
final class Registry {
    private static final int PAGE = 100;
    private static final long ASK_AGAIN_MILLIS = 5_000;

    private final Call call;
    private final Runs runs;
    private final Pipelines pipelines;

    Registry(Call call) throws ConfigException {
        this.call = call;
        RegistryStore store = new DynamoDbRegistryStore(
                call.clients().tables().documents(call.settings().table()));
        this.runs = new Runs(store, call.clock());
        this.pipelines = new Pipelines(store, call.clock());
    }

    Runs runs() {
        return runs;
    }

    Run run(String runId) throws IOException {
        return runs.find(runId)
                .orElseThrow(() -> new RefusedRunException("there is no run " + runId + " in table "
                        + call.settings().table()));
    }

    /** The places of a run's pipeline, as it was when the run started. */
    Site site(Run run) throws ConfigException {
        return open(run.definition());
    }

    /** The places of every pipeline that functions can run. */
    List<Site> sites() throws IOException, ConfigException {
        return sites(Optional.empty());
    }

    /** As {@link #sites()}, or of the one of that name. */
    List<Site> sites(Optional<String> name) throws IOException, ConfigException {
        if (name.isPresent()) {
            return List.of(site(name.get()));
        }
        List<Site> sites = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            Page<Pipeline> page = pipelines.list(after, PAGE);
            for (Pipeline p : page.items()) {
                if (p.definition().isCopy() && p.definition().isS3Only()) {
                    add(p, sites);
                }
            }
            after = page.last();
        } while (after.isPresent());
        return sites;
    }

    /** A pipeline that cannot run does not hold up the others. */
    private void add(Pipeline pipeline, List<Site> sites) {
        try {
            sites.add(open(pipeline.definition()));
        } catch (ConfigException e) {
            call.warn("pipeline " + pipeline.name() + " is left out: " + e.getMessage());
        }
    }

    /** The places of the pipeline of that name, as it is now. */
    Site site(String name) throws IOException, ConfigException {
        return open(pipelines
                .find(name)
                .orElseThrow(() -> new RefusedRunException("there is no pipeline " + name + " in table "
                        + call.settings().table()))
                .definition());
    }

    private Site open(PipelineDefinition definition) throws ConfigException {
        return Site.open(definition.config(), call.clients(), call.settings(), call.clock());
    }

    /** Whether the run is to stop; asked of the registry once in a while. */
    BooleanSupplier stopped(String runId) {
        return new BooleanSupplier() {
            private long askedAt;
            private boolean stopped;

            @Override
            public synchronized boolean getAsBoolean() {
                long now = call.clock().millis();
                if (!stopped && now >= askedAt + ASK_AGAIN_MILLIS) {
                    askedAt = now;
                    try {
                        stopped = runs.shouldStop(runId);
                    } catch (IOException e) {
                        // Asked again soon.
                        call.warn("cannot tell whether run " + runId + " is to stop: " + e.getMessage());
                    }
                }
                return stopped;
            }
        };
    }
}
