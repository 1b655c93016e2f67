package dev.stet.ledger;

import dev.stet.faults.FaultPlan;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A ledger whose calls meet the faults of a plan. Closing it closes nothing: it stands for one process among several. */
public final class FaultyLedger implements Ledger {
    private final Ledger real;
    private final FaultPlan plan;

    public FaultyLedger(Ledger real, FaultPlan plan) {
        this.real = real;
        this.plan = plan;
    }

    @Override
    public Page pageOf(String key) throws IOException {
        return plan.read("pageOf", () -> real.pageOf(key));
    }

    @Override
    public Page pageAfter(String after) throws IOException {
        return plan.read("pageAfter", () -> real.pageAfter(after));
    }

    @Override
    public Outcome split(Page page, String at, PageEntries left, PageEntries right) throws IOException {
        return plan.write("split", () -> real.split(page, at, left, right));
    }

    @Override
    public Outcome begin(Commit commit) throws IOException {
        return plan.write("begin", () -> real.begin(commit));
    }

    @Override
    public Outcome renewLease(String commitId, long leaseUntil) throws IOException {
        return plan.write("renewLease", () -> real.renewLease(commitId, leaseUntil));
    }

    @Override
    public Outcome commit(String commitId, CommitDetails details, List<PageUpdate> pages) throws IOException {
        return plan.write("commit", () -> real.commit(commitId, details, pages));
    }

    @Override
    public Optional<PartialCopy> partialCopy(String key) throws IOException {
        return plan.read("partialCopy", () -> real.partialCopy(key));
    }

    @Override
    public void forEachPartialCopy(Consumer<PartialCopy> action) throws IOException {
        plan.read("forEachPartialCopy", () -> {
            real.forEachPartialCopy(action);
            return "done";
        });
    }

    @Override
    public Outcome commitPart(CommitDetails details, PartialCopy next) throws IOException {
        return plan.write("commitPart", () -> real.commitPart(details, next));
    }

    @Override
    public Outcome commitLast(String commitId, CommitDetails details, PageUpdate page, PartialCopy copy)
            throws IOException {
        return plan.write("commitLast", () -> real.commitLast(commitId, details, page, copy));
    }

    @Override
    public Outcome abandonPartialCopy(PartialCopy copy) throws IOException {
        return plan.write("abandonPartialCopy", () -> real.abandonPartialCopy(copy));
    }

    @Override
    public Outcome abandon(String commitId) throws IOException {
        return plan.write("abandon", () -> real.abandon(commitId));
    }

    @Override
    public Outcome retire(String commitId, long generation) throws IOException {
        return plan.write("retire", () -> real.retire(commitId, generation));
    }

    @Override
    public void markSwept(String commitId) throws IOException {
        plan.write("markSwept", () -> {
            real.markSwept(commitId);
            return "done";
        });
    }

    @Override
    public void forget(String commitId) throws IOException {
        plan.write("forget", () -> {
            real.forget(commitId);
            return "done";
        });
    }

    @Override
    public Optional<Commit> find(String commitId) throws IOException {
        return plan.read("find", () -> real.find(commitId));
    }

    @Override
    public void forEach(CommitState state, Consumer<Commit> action) throws IOException {
        plan.read("forEach", () -> {
            real.forEach(state, action);
            return "done";
        });
    }

    @Override
    public Optional<Compaction> latestCompaction() throws IOException {
        return plan.read("latestCompaction", real::latestCompaction);
    }

    @Override
    public Outcome openCompaction(long generation, String headerKey) throws IOException {
        return plan.write("openCompaction", () -> real.openCompaction(generation, headerKey));
    }

    @Override
    public Outcome finishCompaction(long generation) throws IOException {
        return plan.write("finishCompaction", () -> real.finishCompaction(generation));
    }

    @Override
    public Optional<PipelineRow> pipeline() throws IOException {
        return plan.read("pipeline", real::pipeline);
    }

    @Override
    public Outcome savePipeline(PipelineRow row, long expectedRevision) throws IOException {
        return plan.write("savePipeline", () -> real.savePipeline(row, expectedRevision));
    }

    @Override
    public void close() {}
}
