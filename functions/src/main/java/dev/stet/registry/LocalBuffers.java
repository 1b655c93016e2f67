package dev.stet.registry;

import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.SqliteLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * What a pipeline of this machine has committed and not landed yet, by its ledger.
 *
 * @param bytes that will land
 * @param oldest when the first of it was committed; empty when nothing waits
 */
public record LocalBuffers(long commits, long records, long bytes, Optional<Instant> oldest) {
    public static final LocalBuffers NONE = new LocalBuffers(0, 0, 0, Optional.empty());

    /** Read beside a run that may be at work. @param folder of the registry */
    public static LocalBuffers read(Path folder, PipelineDefinition definition) throws IOException {
        Path file = LocalRun.state(folder, definition).resolve("ledger.sqlite");
        if (!definition.isCopy() || !Files.exists(file)) {
            return NONE;
        }
        Sum sum = new Sum();
        try (Ledger ledger = new SqliteLedger(file, definition.sourceText(), Clock.systemUTC())) {
            ledger.forEach(CommitState.COMMITTED, sum::add);
        }
        return sum.buffers;
    }

    private static final class Sum {
        private LocalBuffers buffers = NONE;

        void add(Commit commit) {
            Instant at = Instant.ofEpochMilli(commit.changedAt());
            buffers = new LocalBuffers(
                    buffers.commits + 1,
                    buffers.records
                            + commit.details().map(d -> d.records().count()).orElse(0L),
                    buffers.bytes + commit.details().map(d -> d.landingBytes()).orElse(0L),
                    Optional.of(buffers.oldest.filter(o -> o.isBefore(at)).orElse(at)));
        }
    }
}
