package dev.stet.functions;

import dev.stet.compact.CompactionSteps;
import dev.stet.compact.CompactorSettings;
import dev.stet.compact.TaskLimits;
import dev.stet.config.SinkCompression;
import java.util.function.BooleanSupplier;

/** The steps of compactions of one site, in a function. */
final class Landing {
    private static final int HEAP_SHARES = 3;

    /** Each waits some 20 ms and computes next to nothing. */
    private static final int INDEX_READS = 32;

    private Landing() {}

    /** The steps. @param stop asked between objects */
    static CompactionSteps steps(Site site, Call call, BooleanSupplier stop) {
        CompactorSettings settings = new CompactorSettings(
                site.pipelineId(),
                site.pipeline().landing().maxObjectBytes(),
                site.pipeline().compression() == SinkCompression.GZIP,
                call.settings().threads(),
                Runtime.getRuntime().maxMemory() / HEAP_SHARES,
                INDEX_READS,
                call.settings().generationCommits(),
                TaskLimits.WORKERS,
                stop);
        return new CompactionSteps(site.ledger(), site.staging(), site.sink(), settings);
    }
}
