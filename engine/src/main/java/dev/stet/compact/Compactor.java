package dev.stet.compact;

import dev.stet.audit.Crc32c;
import dev.stet.fanout.FanOut;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Compaction;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.LedgerException;
import dev.stet.stage.StagedObjects;
import dev.stet.stage.StagingKeys;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The compaction protocol of design §6. Anyone may go on with an OPEN generation or repeat any of its steps; two at once do no harm. The order matters: the
 * generation is read before the commits, every output is read back before a commit is retired, DONE comes last.
 */
public final class Compactor {
    private static final int MAX_UNKNOWN = 8;

    private final Ledger ledger;
    private final ObjectStore staging;
    private final ObjectStore sink;
    private final CompactorSettings settings;
    private final LandingMeter meter;

    public Compactor(
            Ledger ledger, ObjectStore staging, ObjectStore sink, CompactorSettings settings, LandingMeter meter) {
        this.ledger = ledger;
        this.staging = staging;
        this.sink = sink;
        this.settings = settings;
        this.meter = meter;
    }

    /** Goes on with the OPEN generation, if there is one. */
    public boolean resume() throws IOException {
        Optional<Compaction> latest = ledger.latestCompaction();
        if (latest.isEmpty() || latest.get().done()) {
            return false;
        }
        run(latest.get(), true);
        return true;
    }

    /** Lands everything committed, after finishing what is OPEN. @return whether there was anything to land */
    public boolean land() throws IOException {
        boolean resumed = false;
        while (true) {
            Optional<Compaction> latest = ledger.latestCompaction();
            if (latest.isPresent() && !latest.get().done()) {
                run(latest.get(), true);
                resumed = true;
                continue;
            }
            long generation = latest.map(Compaction::generation).orElse(0L) + 1;
            List<Header.Taken> commits = committed();
            if (commits.isEmpty()) {
                return resumed;
            }
            String headerKey = putHeader(
                    new Header(settings.pipelineId(), generation, settings.maxObjectBytes(), settings.gzip(), commits));
            if (open(generation, headerKey)) {
                run(new Compaction(generation, false, headerKey), false);
                return true;
            }
        }
    }

    private List<Header.Taken> committed() throws IOException {
        List<Header.Taken> commits = new ArrayList<>();
        ledger.forEach(
                CommitState.COMMITTED,
                c -> commits.add(new Header.Taken(
                        c.id(), c.bundleKey(), c.details().orElseThrow().bundleLength())));
        return commits;
    }

    private String putHeader(Header header) throws IOException {
        byte[] bytes = header.encode();
        String checksum = Header.checksum(bytes);
        String key = StagingKeys.header(checksum);
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
    private boolean open(long generation, String headerKey) throws IOException {
        try {
            return ledger.openCompaction(generation, headerKey) == Ledger.Outcome.APPLIED;
        } catch (UnknownOutcomeException e) {
            return false;
        }
    }

    private void run(Compaction compaction, boolean resumed) throws IOException {
        Header header = header(compaction);
        if (!anyRetired(header)) {
            try {
                landAll(header, resumed);
                sink.flush();
                abortOpenUploads(header);
            } catch (LandingStoppedException e) {
                throw e;
            } catch (IOException e) {
                // Another one was faster, and the bundles may be swept already: then all is landed.
                if (!anyRetired(header)) {
                    throw e;
                }
            }
        }
        for (Header.Taken t : header.commits()) {
            untilCertain(() -> ledger.retire(t.commitId(), compaction.generation()));
        }
        untilCertain(() -> ledger.finishCompaction(compaction.generation()));
    }

    private Header header(Compaction compaction) throws IOException {
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

    /** Once one is retired, all outputs were landed and read back. */
    private boolean anyRetired(Header header) throws IOException {
        for (Header.Taken t : header.commits()) {
            Optional<Commit> commit = ledger.find(t.commitId());
            if (commit.isEmpty() || commit.get().state() == CommitState.RETIRED) {
                return true;
            }
        }
        return false;
    }

    private void landAll(Header header, boolean resumed) throws IOException {
        long share = Math.max(1, settings.memory() / (settings.threads() + 1));
        try (FanOut<LandingTask> lander =
                new FanOut<>("land", settings.threads(), () -> worker(header, share, resumed))) {
            TaskCutter cutter = new TaskCutter(lander);
            new CompactionPlan(header, staging, share, cutter).walk();
            cutter.end();
            lander.finish();
        }
    }

    private FanOut.Worker<LandingTask> worker(Header header, long memory, boolean resumed) {
        Lander lander = new Lander(header, staging, sink, memory, settings.stop(), meter);
        return new FanOut.Worker<>() {
            @Override
            public void work(LandingTask task) throws IOException {
                lander.land(task, resumed);
            }

            @Override
            public void close() {
                lander.close();
            }
        };
    }

    /** Cuts the plan into tasks of neighbouring outputs. */
    private final class TaskCutter implements CompactionPlan.Consumer {
        private final FanOut<LandingTask> lander;
        private final List<Output> outputs = new ArrayList<>();
        private long bytes;

        TaskCutter(FanOut<LandingTask> lander) {
            this.lander = lander;
        }

        @Override
        public void accept(Output output) throws IOException {
            outputs.add(output);
            bytes += output.length();
            if (bytes >= settings.taskBytes() || outputs.size() >= settings.taskOutputs()) {
                end();
            }
        }

        void end() throws IOException {
            if (!outputs.isEmpty()) {
                lander.submit(new LandingTask(outputs));
                outputs.clear();
                bytes = 0;
            }
        }
    }

    /** A writer that was taken for dead may still hold an unfinished upload of an output. It must not complete it once the bundles are gone. */
    private void abortOpenUploads(Header header) throws IOException {
        new CompactionPlan(
                        header, staging, Math.max(1, settings.memory() / 2), output -> sink.abortUploads(output.key()))
                .walk();
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
