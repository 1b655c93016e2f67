package dev.stet.functions;

import dev.stet.compact.Compactor;
import dev.stet.compact.CompactorSettings;
import dev.stet.config.SinkCompression;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** The compaction of one site, in a function. */
final class Landing {
    private static final int HEAP_SHARES = 3;

    private final Site site;
    private final Call call;

    Landing(Site site, Call call) {
        this.site = site;
        this.call = call;
    }

    /** Takes tasks' lines. */
    interface Tasks {
        void add(String line) throws IOException;
    }

    void plan(Tasks tasks) throws IOException {
        tasks.add("all");
    }

    /** Lands a task. @return objects landed */
    long land(String line, BooleanSupplier stop) throws IOException {
        assert line.equals("all");
        LongAdder landed = new LongAdder();
        new Compactor(site.ledger(), site.staging(), site.sink(), settings(stop), _ -> landed.increment()).land();
        return landed.sum();
    }

    void finish() {}

    private CompactorSettings settings(BooleanSupplier stop) {
        return new CompactorSettings(
                site.pipelineId(),
                site.pipeline().landing().maxObjectBytes(),
                site.pipeline().compression() == SinkCompression.GZIP,
                call.settings().threads(),
                Runtime.getRuntime().maxMemory() / HEAP_SHARES,
                CompactorSettings.DEFAULT_TASK_BYTES,
                CompactorSettings.DEFAULT_TASK_OUTPUTS,
                stop);
    }
}
