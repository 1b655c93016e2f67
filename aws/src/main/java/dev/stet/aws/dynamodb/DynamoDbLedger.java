package dev.stet.aws.dynamodb;

import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.Compaction;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.Page;
import dev.stet.ledger.PageEntries;
import dev.stet.ledger.PageUpdate;
import dev.stet.ledger.PartialCopy;
import dev.stet.ledger.PipelineRow;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The ledger in a DynamoDB table that serves many pipelines (design §6): partition key {@code pk} text, sort key {@code sk} binary. Made by
 * {@link DynamoDb#ledger}; safe for use by many threads and machines at once.
 *
 * <p>A page cannot begin after a key of more than 1,024 bytes, which no key in S3 has: splitting there fails.
 */
public final class DynamoDbLedger implements Ledger {
    private static final String HEADER_KEY = "header_key";
    private static final String DONE = "is_done";

    /** Not {@code PIPELINE#…}: those are the registry's. */
    private static final String STATES = "STATES";

    private static final String ID = "pipeline_id";
    private static final String SOURCE = "source_name";
    private static final String SINK = "sink_name";
    private static final String ROUTING = "routing_settings";
    private static final String MOVE = "row_move";
    private static final String REVISION = "row_revision";

    private final TableCalls table;
    private final Clock clock;
    private final ExtentRows extents;
    private final PageRows pages;
    private final CommitRows commits;
    private final PartialCopyRows partialCopies;
    private final String compactions;
    private final Map<String, AttributeValue> pipelineKey;

    DynamoDbLedger(TableCalls table, String pipelineId, String source, int pagesPerExtent, Clock clock) {
        if (pipelineId.contains("#")) {
            throw new IllegalArgumentException("not the id of a pipeline: " + pipelineId);
        }
        this.table = table;
        this.clock = clock;
        this.extents = new ExtentRows(table, "EXTENTS#" + pipelineId + "#" + source);
        this.pages = new PageRows(table, extents, "PAGE#" + pipelineId + "#" + source, pagesPerExtent);
        this.commits = new CommitRows(table, "COMMIT#" + pipelineId);
        this.partialCopies = new PartialCopyRows(table, "PART#" + pipelineId + "#" + source);
        this.compactions = "COMPACTION#" + pipelineId;
        this.pipelineKey = stateKey(pipelineId);
    }

    /**
     * Spreads the pages of a source whose keys are known over partitions, before anything is copied: extents begin after these keys. Without, there is one
     * until it is large; then others are appended. Refused when there is a plan or the source was looked at.
     */
    public Outcome planExtents(List<String> firsts) throws IOException {
        return extents.plan(firsts, Tokens.next());
    }

    @Override
    public Page pageOf(String key) throws IOException {
        return pages.pageOf(key);
    }

    @Override
    public Page pageAfter(String after) throws IOException {
        return pages.pageAfter(after);
    }

    @Override
    public Outcome split(Page page, String at, PageEntries left, PageEntries right) throws IOException {
        page.requireSplitAt(at);
        return pages.split(page, at, left, right, Tokens.next());
    }

    @Override
    public Outcome begin(Commit commit) throws IOException {
        return write(commits.keyOf(commit.id()), Condition.absent(), CommitRows.begun(commit), "begun_by");
    }

    @Override
    public Outcome renewLease(String commitId, long leaseUntil) throws IOException {
        Map<String, AttributeValue> attributes = Row.values();
        attributes.put(CommitRows.LEASE_UNTIL, Row.number(leaseUntil));
        return write(commits.keyOf(commitId), in(CommitState.UPLOADING), attributes, "renewed_by");
    }

    @Override
    public Outcome commit(String commitId, CommitDetails details, List<PageUpdate> updates) throws IOException {
        PageUpdate.requireOneCommit(updates);
        List<TransactWriteItem> changes = new ArrayList<>();
        for (PageUpdate update : updates) {
            changes.add(pages.update(update));
        }
        Map<String, AttributeValue> attributes = moved(CommitState.COMMITTED);
        attributes.put(CommitRows.DETAILS, CommitRows.details(details));
        return write(changes, commits.keyOf(commitId), in(CommitState.UPLOADING), attributes, "committed_by");
    }

    @Override
    public Optional<PartialCopy> partialCopy(String key) throws IOException {
        return partialCopies.find(key);
    }

    @Override
    public void forEachPartialCopy(Consumer<PartialCopy> action) throws IOException {
        partialCopies.all().forEach(action);
    }

    @Override
    public Outcome commitPart(CommitDetails details, PartialCopy next) throws IOException {
        next.requireEndable();
        List<TransactWriteItem> changes = List.of(partialCopies.put(next, clock.millis()));
        Map<String, AttributeValue> attributes = moved(CommitState.PARTIAL);
        attributes.put(CommitRows.DETAILS, CommitRows.details(details));
        String id = next.commits().getLast();
        return write(changes, commits.keyOf(id), in(CommitState.UPLOADING), attributes, "part_committed_by");
    }

    @Override
    public Outcome commitLast(String commitId, CommitDetails details, PageUpdate page, PartialCopy copy)
            throws IOException {
        copy.requireEndable();
        List<TransactWriteItem> changes = new ArrayList<>();
        changes.add(pages.update(page));
        changes.add(partialCopies.delete(copy));
        for (String id : copy.commits()) {
            changes.add(table.set(commits.keyOf(id), in(CommitState.PARTIAL), moved(CommitState.COMMITTED)));
        }
        Map<String, AttributeValue> attributes = moved(CommitState.COMMITTED);
        attributes.put(CommitRows.DETAILS, CommitRows.details(details));
        return write(changes, commits.keyOf(commitId), in(CommitState.UPLOADING), attributes, "committed_by");
    }

    @Override
    public Outcome abandonPartialCopy(PartialCopy copy) throws IOException {
        copy.requireEndable();
        List<TransactWriteItem> changes = new ArrayList<>();
        changes.add(partialCopies.delete(copy));
        for (String id : copy.commits().subList(1, copy.commits().size())) {
            changes.add(table.set(commits.keyOf(id), in(CommitState.PARTIAL), moved(CommitState.ABANDONED)));
        }
        // The row itself goes: the proof of who did it lies in its first commit.
        String first = copy.commits().getFirst();
        return write(
                changes,
                commits.keyOf(first),
                in(CommitState.PARTIAL),
                moved(CommitState.ABANDONED),
                "part_abandoned_by");
    }

    @Override
    public Outcome abandon(String commitId) throws IOException {
        return write(commits.keyOf(commitId), in(CommitState.UPLOADING), moved(CommitState.ABANDONED), "abandoned_by");
    }

    @Override
    public Outcome retire(String commitId, long generation) throws IOException {
        Map<String, AttributeValue> attributes = moved(CommitState.RETIRED);
        attributes.put(CommitRows.GENERATION, Row.number(generation));
        return write(commits.keyOf(commitId), in(CommitState.COMMITTED), attributes, "retired_by");
    }

    private static Condition in(CommitState state) {
        return Condition.equal(CommitRows.STATE, CommitRows.state(state));
    }

    private Map<String, AttributeValue> moved(CommitState state) {
        Map<String, AttributeValue> attributes = Row.values();
        attributes.put(CommitRows.STATE, CommitRows.state(state));
        attributes.put(CommitRows.CHANGED_AT, Row.number(clock.millis()));
        return attributes;
    }

    @Override
    public void markSwept(String commitId) throws IOException {
        Condition garbage = Condition.oneOf(
                CommitRows.STATE, CommitRows.state(CommitState.ABANDONED), CommitRows.state(CommitState.RETIRED));
        table.writeIfMay(table.set(commits.keyOf(commitId), garbage, Map.of(CommitRows.SWEPT, Row.flag(true))));
    }

    @Override
    public void forget(String commitId) throws IOException {
        table.writeIfMay(table.delete(commits.keyOf(commitId), Condition.equal(CommitRows.SWEPT, Row.flag(true))));
    }

    @Override
    public Optional<Commit> find(String commitId) throws IOException {
        return table.get(commits.keyOf(commitId)).map(CommitRows::commit);
    }

    @Override
    public void forEach(CommitState state, Consumer<Commit> action) throws IOException {
        commits.forEach(state, action);
    }

    @Override
    public Optional<Compaction> latestCompaction() throws IOException {
        return table.last(compactions, "", Map.of())
                .map(r -> new Compaction(
                        java.nio.ByteBuffer.wrap(r.bytes(Row.SORT)).getLong(),
                        r.flag(DONE),
                        r.requiredText(HEADER_KEY)));
    }

    @Override
    public Outcome openCompaction(long generation, String headerKey) throws IOException {
        if (generation < 1) {
            return Outcome.REFUSED;
        }
        List<TransactWriteItem> changes = new ArrayList<>();
        if (generation > 1) {
            changes.add(table.check(compactionKey(generation - 1), Condition.equal(DONE, Row.flag(true))));
        }
        Map<String, AttributeValue> attributes = Row.values();
        attributes.put(HEADER_KEY, Row.string(headerKey));
        attributes.put(DONE, Row.flag(false));
        return write(changes, compactionKey(generation), Condition.absent(), attributes, "opened_by");
    }

    @Override
    public Outcome finishCompaction(long generation) throws IOException {
        if (generation < 1) {
            return Outcome.REFUSED;
        }
        Map<String, AttributeValue> attributes = Row.values();
        attributes.put(DONE, Row.flag(true));
        return write(compactionKey(generation), Condition.equal(DONE, Row.flag(false)), attributes, "finished_by");
    }

    private Map<String, AttributeValue> compactionKey(long generation) {
        return Row.primaryKey(compactions, Row.generation(generation));
    }

    @Override
    public Optional<PipelineRow> pipeline() throws IOException {
        return table.get(pipelineKey).map(DynamoDbLedger::pipeline);
    }

    private static PipelineRow pipeline(Row r) {
        return new PipelineRow(
                r.requiredText(ID),
                r.requiredText(SOURCE),
                r.requiredText(SINK),
                r.requiredText(ROUTING),
                r.text(MOVE).filter(text -> !text.isEmpty()).map(PipelineRow.Move::parse),
                r.number(REVISION));
    }

    /** All rows lie in one partition, so that a table can tell which pipelines it holds. */
    private static Map<String, AttributeValue> stateKey(String pipelineId) {
        return Row.primaryKey(STATES, Row.binary(Row.utf8(pipelineId)));
    }

    /** What every pipeline in the table stored of itself, by id. */
    static List<PipelineRow> pipelines(TableCalls table) throws IOException {
        return table.all(STATES).stream().map(DynamoDbLedger::pipeline).toList();
    }

    @Override
    public Outcome savePipeline(PipelineRow row, long expectedRevision) throws IOException {
        Map<String, AttributeValue> attributes = Row.values();
        attributes.put(ID, Row.string(row.id()));
        attributes.put(SOURCE, Row.string(row.source()));
        attributes.put(SINK, Row.string(row.sink()));
        attributes.put(ROUTING, Row.string(row.routing()));
        attributes.put(MOVE, Row.string(row.move().map(PipelineRow.Move::text).orElse("")));
        attributes.put(REVISION, Row.number(expectedRevision + 1));
        Condition condition =
                expectedRevision == 0 ? Condition.absent() : Condition.equal(REVISION, Row.number(expectedRevision));
        return write(pipelineKey, condition, attributes, "saved_by");
    }

    private Outcome write(
            Map<String, AttributeValue> key,
            Condition condition,
            Map<String, AttributeValue> attributes,
            String proofAttribute)
            throws IOException {
        return write(List.of(), key, condition, attributes, proofAttribute);
    }

    /** Changes one item, along with others; that one keeps the proof of who did it. */
    private Outcome write(
            List<TransactWriteItem> others,
            Map<String, AttributeValue> key,
            Condition condition,
            Map<String, AttributeValue> attributes,
            String proofAttribute)
            throws IOException {
        AttributeValue token = Tokens.next();
        attributes.put(proofAttribute, token);
        List<TransactWriteItem> changes = new ArrayList<>(others);
        changes.add(table.set(key, condition, attributes));
        return table.write(changes, Optional.of(new Proof(key, proofAttribute, token)));
    }

    @Override
    public void close() {}
}
