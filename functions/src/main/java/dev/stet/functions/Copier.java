package dev.stet.functions;

import dev.stet.codec.SliceCodec;
import dev.stet.config.SinkCompression;
import dev.stet.copy.Backoff;
import dev.stet.copy.CommitIds;
import dev.stet.copy.LeaseKeeper;
import dev.stet.copy.PartLimits;
import dev.stet.copy.ScanLimits;
import dev.stet.copy.WorkerSettings;
import dev.stet.record.JsonFramer;
import dev.stet.route.Router;
import dev.stet.task.SourceTask;
import dev.stet.task.TaskCopier;
import dev.stet.task.TaskResult;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The copy worker of one site, in a function. */
final class Copier {
    /** An object of a GiB takes half a minute or so; a larger one goes on in the next worker where this one ends, at most 8 GiB of it being lost with a worker. */
    private static final PartLimits PARTS =
            new PartLimits(1L << 30, 8L << 30, Duration.ofMinutes(5).toMillis());

    /** What a record's memory may take of the heap; the rest is the SDK's, the framer's windows and parts under way. */
    private static final int HEAP_SHARES = 3;

    private static final int MIN_MEMORY = 1 << 20;

    private final Site site;
    private final Call call;

    Copier(Site site, Call call) {
        this.site = site;
        this.call = call;
    }

    /** @param mark of the run, in its commits' ids; empty for events @param stop when to commit what is whole and end */
    TaskResult copy(SourceTask task, String mark, BooleanSupplier stop) throws IOException {
        try (LeaseKeeper leases = LeaseKeeper.started(site.ledger(), call.clock())) {
            return new TaskCopier(
                            site.source(),
                            site.staging(),
                            site.ledger(),
                            site.wanted(),
                            ScanLimits.DEFAULT,
                            call.settings().threads(),
                            settings(stop),
                            new CommitIds(call.clock(), call.random(), mark),
                            leases,
                            call.clock(),
                            Backoff.exponential())
                    .copy(task);
        }
    }

    private WorkerSettings settings(BooleanSupplier stop) {
        int prefix = site.sinkPrefixBytes();
        Router paths = new Router(site.pipeline().routing(), prefix);
        long memory = Runtime.getRuntime().maxMemory() / HEAP_SHARES;
        return new WorkerSettings(
                () -> new JsonFramer(paths.paths(), site.pipeline().recordFieldPath()),
                () -> new Router(site.pipeline().routing(), prefix),
                site.pipeline().compression() == SinkCompression.GZIP ? SliceCodec.GZIP : SliceCodec.ZSTD,
                Math.max(MIN_MEMORY, memory / call.settings().threads()),
                _ -> false,
                stop,
                PARTS);
    }
}
