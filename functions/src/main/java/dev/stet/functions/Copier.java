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
import java.util.function.BooleanSupplier;

/** The copy worker of one site, in a function. */
final class Copier {
    /** Of a worker's time: one that gave an object that much, and came to no place where a part can end, would do no better another time. */
    private static final int PATIENCE_SHARES = 3;

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
                parts());
    }

    private PartLimits parts() {
        FunctionSettings.Parts parts = call.settings().parts();
        return new PartLimits(parts.fromBytes(), parts.bytes(), call.time().toMillis() / PATIENCE_SHARES);
    }
}
