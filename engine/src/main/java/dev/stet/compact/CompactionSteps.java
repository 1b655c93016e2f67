package dev.stet.compact;

import dev.stet.ledger.Compaction;
import dev.stet.ledger.Ledger;
import dev.stet.stage.ReadsAhead;
import dev.stet.stage.StagedObjects;
import dev.stet.stage.StagingKeys;
import dev.stet.stage.TaskFile;
import dev.stet.stage.TaskItem;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The compaction protocol of design §6 in steps for a fan-out: {@link #plan} once, {@link #land} for each task of the plan, {@link #finish} at the end. Each may be done by
 * anyone, killed at any point, repeated, or done by several at once; plans made twice are both right. Thread-safe.
 */
public final class CompactionSteps {
    private final ObjectStore staging;
    private final ObjectStore sink;
    private final CompactorSettings settings;
    private final Generations generations;

    public CompactionSteps(Ledger ledger, ObjectStore staging, ObjectStore sink, CompactorSettings settings) {
        this.staging = staging;
        this.sink = sink;
        this.settings = settings;
        this.generations = new Generations(ledger, staging, sink, settings);
    }

    /**
     * A plan in staging.
     *
     * @param itemsKey one {@link TaskItem} a line, for {@link #land}
     * @param tasks how many
     * @param fresh whether nobody can have landed anything of it before
     */
    public record Plan(
            long generation, String name, String itemsKey, long tasks, long outputs, long bytes, boolean fresh) {}

    /**
     * Freezes what is committed, or picks up the OPEN generation, and writes its tasks to staging.
     *
     * @param planId letters, digits and dashes, new for each call
     * @return empty when there is nothing to land
     */
    public Optional<Plan> plan(String planId) throws IOException {
        while (generations.openOrNext() instanceof Generations.Current.Open open) {
            Header header = generations.header(open.compaction());
            if (generations.anyRetired(header)) {
                // All of it is landed: whoever did so was killed before the end.
                generations.close(header);
                continue;
            }
            try {
                return Optional.of(write(header, open, planId));
            } catch (IOException e) {
                // Another one was faster, and the bundles may be swept already.
                if (!generations.isLanded(header.generation())) {
                    throw e;
                }
            }
        }
        return Optional.empty();
    }

    private Plan write(Header header, Generations.Current.Open open, String planId) throws IOException {
        Compaction compaction = open.compaction();
        String name = StagingKeys.plan(header.generation(), planId);
        try (ReadsAhead reads = ReadsAhead.of(settings.reads());
                TaskFile file = new TaskFile(staging, name)) {
            RunHeads heads = RunHeads.all(header, staging, settings.memory(), reads);
            Totals totals = new Totals();
            TaskCutter cutter = new TaskCutter(settings.limits(), (task, from, to) -> {
                PlanLine line = PlanLine.of(header.generation(), compaction.headerKey(), task, heads.between(from, to));
                file.add(line.toLine());
                totals.outputs += line.outputs();
                totals.bytes += line.bytes();
            });
            new CompactionPlan(header, heads, cutter).walk();
            cutter.end();
            TaskFile.Written written = file.complete();
            return new Plan(
                    header.generation(),
                    name,
                    written.itemsKey(),
                    written.tasks(),
                    totals.outputs,
                    totals.bytes,
                    open.fresh());
        }
    }

    private static final class Totals {
        private long outputs;
        private long bytes;
    }

    /**
     * Lands one task of a plan: every output of it lies in the sink and was read back when this returns. May be repeated, also when the generation is over.
     *
     * @param again whether somebody may have landed some of it before: looking first spares the work
     * @throws LandingStoppedException when the settings' {@code stop} said so; to be repeated
     */
    public void land(Plan plan, TaskItem item, boolean again, LandingMeter meter) throws IOException {
        try {
            String receipt = StagingKeys.landed(plan.name(), item.offset());
            if (again && staging.readBack(receipt).isPresent()) {
                return;
            }
            PlanLine line = PlanLine.ofLine(item.read(staging));
            if (line.generation() != plan.generation()) {
                throw new StoreException("the task is of compaction " + line.generation() + ", not of "
                        + plan.generation() + ": " + staging.describe(item.key()));
            }
            Header header = generations.header(new Compaction(line.generation(), false, line.headerKey()));
            if (again && generations.isLanded(header)) {
                return;
            }
            try (Lander lander = new Lander(header, staging, sink, settings.memory(), settings.stop(), meter)) {
                lander.land(new LandingTask(outputs(header, line)), again);
            }
            sink.flush();
            putReceipt(receipt);
        } catch (LandingStoppedException e) {
            throw e;
        } catch (IOException e) {
            // Late: another one landed it, and plan and bundles may be swept already.
            if (!generations.isLanded(plan.generation())) {
                throw e;
            }
        }
    }

    /** Walks the parts of the indexes that the line names. */
    private List<Output> outputs(Header header, PlanLine line) throws IOException {
        List<Output> walked = new ArrayList<>();
        try (ReadsAhead reads = ReadsAhead.of(settings.reads())) {
            RunHeads heads = RunHeads.of(header, staging, line.ranges(), settings.memory(), reads);
            // Behind the task's last output come slices that only had to be seen: what they would make is another
            // task's.
            new CompactionPlan(header, heads, (output, where) -> {
                        if (walked.size() < line.skip() + line.outputs()) {
                            walked.add(output);
                        }
                    })
                    .walk();
        }
        List<Output> outputs = walked.subList(Math.min(line.skip(), walked.size()), walked.size());
        if (outputs.size() != line.outputs() || PlanLine.check(outputs) != line.check()) {
            throw new StoreException("a task of compaction " + line.generation()
                    + " does not come to what was planned: the index of a staged bundle is damaged, in "
                    + staging.describe());
        }
        return outputs;
    }

    private void putReceipt(String key) throws IOException {
        byte[] bytes = "landed\n".getBytes(StandardCharsets.US_ASCII);
        try (ObjectWriter writer = staging.create(key)) {
            writer.write(bytes, 0, bytes.length);
            StagedObjects.complete(staging, key, writer, dev.stet.audit.Crc32c.of(bytes, 0, bytes.length));
        }
        staging.flush();
    }

    /** How {@link #finish} ended. */
    public sealed interface Finish {
        /** The generation is DONE, by this call or before. */
        record Done() implements Finish {}

        /** Some tasks have not been landed: to be handed out again, then finished. */
        record Missing(String itemsKey, long tasks) implements Finish {}
    }

    /**
     * Ends a generation when every task of the plan was landed: no upload of it stays open, exactly its commits are RETIRED, it is DONE.
     *
     * @param callId letters, digits and dashes, new for each call
     * @throws LandingStoppedException when the settings' {@code stop} said so; to be repeated
     */
    public Finish finish(Plan plan, String callId) throws IOException {
        Optional<Compaction> open = generations.open();
        if (open.isEmpty() || open.get().generation() != plan.generation()) {
            return new Finish.Done();
        }
        Header header = generations.header(open.get());
        if (!generations.anyRetired(header)) {
            try {
                List<TaskItem> missing = missing(plan);
                // Receipts that are gone may have been swept since, because all is landed.
                if (!missing.isEmpty() && !generations.isLanded(plan.generation())) {
                    return handOutAgain(missing, plan.name() + "-" + callId);
                }
            } catch (IOException e) {
                if (!generations.isLanded(plan.generation())) {
                    throw e;
                }
            }
            generations.abortOpenUploads(header);
        }
        generations.close(header);
        return new Finish.Done();
    }

    private Finish handOutAgain(List<TaskItem> missing, String name) throws IOException {
        try (TaskFile file = new TaskFile(staging, name)) {
            for (TaskItem item : missing) {
                file.add(item);
            }
            TaskFile.Written written = file.complete();
            return new Finish.Missing(written.itemsKey(), written.tasks());
        }
    }

    /** The tasks without a receipt. Both the plan's items and the receipts are in order of offset. */
    private List<TaskItem> missing(Plan plan) throws IOException {
        List<TaskItem> missing = new ArrayList<>();
        String first = StagingKeys.landed(plan.name(), 0);
        String before = first.substring(0, first.length() - 16);
        StoredObject file = staging.readBack(plan.itemsKey())
                .orElseThrow(() -> new StoreException("the plan is missing: " + staging.describe(plan.itemsKey())));
        try (BufferedReader items = new BufferedReader(
                        new InputStreamReader(staging.read(plan.itemsKey(), 0, file.size()), StandardCharsets.UTF_8));
                ObjectListing receipts = staging.list(new KeyRange(before, Optional.of(before + "g")))) {
            Optional<String> receipt = receipts.next().map(ListEntry::key);
            for (Optional<String> l = Optional.ofNullable(items.readLine());
                    l.isPresent();
                    l = Optional.ofNullable(items.readLine())) {
                TaskItem item = TaskItem.ofLine(l.get());
                if (receipt.equals(Optional.of(StagingKeys.landed(plan.name(), item.offset())))) {
                    receipt = receipts.next().map(ListEntry::key);
                } else {
                    missing.add(item);
                }
            }
        }
        return missing;
    }
}
