package dev.stet.compact;

import dev.stet.audit.Crc32c;
import dev.stet.fanout.FanOut;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Compaction;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.LedgerException;
import dev.stet.ledger.PipelineRow;
import dev.stet.stage.StagedObjects;
import dev.stet.stage.StagingKeys;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * The first and last steps of a compaction (design §6), whoever lands in between: freeze and open; abort what is unfinished, retire, DONE. The generation is read
 * before the commits; DONE comes last. Each step can be repeated by anyone. Thread-safe.
 */
final class Generations {
    private static final int MAX_UNKNOWN = 8;

    private final Ledger ledger;
    private final ObjectStore staging;
    private final ObjectStore sink;
    private final CompactorSettings settings;

    Generations(Ledger ledger, ObjectStore staging, ObjectStore sink, CompactorSettings settings) {
        this.ledger = ledger;
        this.staging = staging;
        this.sink = sink;
        this.settings = settings;
    }

    /** What there is to work on. */
    sealed interface Current {
        /**
         * An OPEN generation.
         *
         * @param fresh opened by this call: nobody has landed anything of it yet
         * @param more whether something was committed when it was opened that it does not take
         */
        record Open(Compaction compaction, boolean fresh, boolean more) implements Current {}

        /** Nothing is committed that is not landed. */
        record Nothing() implements Current {}
    }

    /** The OPEN generation, if there is one. */
    Optional<Compaction> open() throws IOException {
        return ledger.latestCompaction().filter(c -> !c.done());
    }

    /** The OPEN generation, or the next one with what is committed, as much as one takes, if anything is. */
    Current openOrNext() throws IOException {
        while (true) {
            Optional<Compaction> latest = ledger.latestCompaction();
            if (latest.isPresent() && !latest.get().done()) {
                PipelineRow.requireInUse(ledger);
                return new Current.Open(latest.get(), false, true);
            }
            long generation = latest.map(Compaction::generation).orElse(0L) + 1;
            Waiting waiting = new Waiting(settings.maxCommits());
            ledger.forEach(CommitState.COMMITTED, waiting::add);
            List<Header.Taken> commits = waiting.taken();
            if (commits.isEmpty()) {
                return new Current.Nothing();
            }
            String headerKey = putHeader(
                    new Header(settings.pipelineId(), generation, settings.maxObjectBytes(), settings.gzip(), commits));
            if (opened(generation, headerKey)) {
                PipelineRow.requireInUse(ledger);
                return new Current.Open(new Compaction(generation, false, headerKey), true, waiting.more());
            }
        }
    }

    private String putHeader(Header header) throws IOException {
        byte[] bytes = header.encode();
        String key = StagingKeys.header(Header.checksum(bytes));
        int crc = Crc32c.of(bytes, 0, bytes.length);
        if (staging.readBack(key).equals(Optional.of(new StoredObject(bytes.length, crc)))) {
            return key;
        }
        try (ObjectWriter writer = staging.create(key)) {
            writer.write(bytes, 0, bytes.length);
            StagedObjects.complete(staging, key, writer, crc);
        }
        staging.flush();
        return key;
    }

    /** @return false when another generation came first, or it cannot be told: look again */
    private boolean opened(long generation, String headerKey) throws IOException {
        try {
            return ledger.openCompaction(generation, headerKey) == Ledger.Outcome.APPLIED;
        } catch (UnknownOutcomeException e) {
            return false;
        }
    }

    Header header(Compaction compaction) throws IOException {
        String key = compaction.headerKey();
        StoredObject there = staging.readBack(key)
                .orElseThrow(() -> new StoreException("the header of compaction " + compaction.generation()
                        + " is missing: " + staging.describe(key) + " (was staging deleted, or another one given?)"));
        try (InputStream in = staging.read(key, 0, there.size())) {
            Header header = Header.decode(in.readAllBytes(), key.substring(key.lastIndexOf('/') + 1));
            if (!header.pipelineId().equals(settings.pipelineId()) || header.generation() != compaction.generation()) {
                throw new LedgerException("the header of compaction " + compaction.generation() + " is of another one: "
                        + staging.describe(key));
            }
            return header;
        }
    }

    /** Once one is retired, all outputs were landed and read back. The first of them is retired before any other, see {@link #close}. */
    boolean anyRetired(Header header) throws IOException {
        Optional<Commit> first = ledger.find(header.commits().getFirst().commitId());
        return first.isEmpty() || first.get().state() == CommitState.RETIRED;
    }

    /** Whether that generation is over: DONE, or about to be, so that everything of it is landed. */
    boolean isLanded(long generation) throws IOException {
        Optional<Compaction> latest = ledger.latestCompaction();
        if (latest.isEmpty() || latest.get().generation() < generation) {
            return false;
        }
        return latest.get().generation() > generation || latest.get().done() || anyRetired(header(latest.get()));
    }

    /** The same of a generation that was opened, for whoever has its header. */
    boolean isLanded(Header header) throws IOException {
        Optional<Compaction> open = open();
        return open.isEmpty() || open.get().generation() != header.generation() || anyRetired(header);
    }

    /**
     * Once every output was landed and read back. A writer that was taken for dead may still hold an unfinished upload of an output: it must not complete it once
     * the bundles are gone.
     */
    void abortOpenUploads(Header header) throws IOException {
        sink.flush();
        sink.abortUploadsNamed(header.nameBeginning());
    }

    /** Retires exactly the header's commits, the first alone, then DONE: after {@link #abortOpenUploads}, or when one is retired already. */
    void close(Header header) throws IOException {
        untilCertain(() -> ledger.retire(header.commits().getFirst().commitId(), header.generation()));
        try (FanOut<Header.Taken> out = new FanOut<>(
                "retire",
                settings.threads(),
                () -> t -> untilCertain(() -> ledger.retire(t.commitId(), header.generation())))) {
            for (Header.Taken t : header.commits().subList(1, header.commits().size())) {
                if (settings.stop().getAsBoolean()) {
                    out.finish();
                    throw new LandingStoppedException();
                }
                out.submit(t);
            }
            out.finish();
        }
        untilCertain(() -> ledger.finishCompaction(header.generation()));
    }

    private interface Step {
        Ledger.Outcome send() throws IOException;
    }

    /** The steps after landing can be repeated: refused means that they were done. */
    private static void untilCertain(Step step) throws IOException {
        for (int i = 1; ; i++) {
            try {
                step.send();
                return;
            } catch (UnknownOutcomeException e) {
                if (i == MAX_UNKNOWN) {
                    throw e;
                }
            }
        }
    }
}
