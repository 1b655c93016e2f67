package dev.stet.aws.dynamodb;

import dev.stet.ledger.PartialCopy;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The rows of objects that are being copied in parts: few, all of a source in one partition. */
final class PartialCopyRows {
    private static final String ETAG = "source_etag";
    private static final String SIZE = "source_size";
    private static final String BEFORE = "entry_before";
    private static final String COMMITS = "part_commits";
    private static final String OFFSET = "next_offset";
    private static final String STORED = "is_stored";
    private static final String LAST = "last_part";

    private final TableCalls table;
    private final String partition;

    PartialCopyRows(TableCalls table, String partition) {
        this.table = table;
        this.partition = partition;
    }

    Optional<PartialCopy> find(String key) throws IOException {
        return table.get(keyOf(key)).map(PartialCopyRows::copy);
    }

    List<PartialCopy> all() throws IOException {
        return table.all(partition).stream().map(PartialCopyRows::copy).toList();
    }

    /** The part of a commit that stores one part more. */
    TransactWriteItem put(PartialCopy next, long now) {
        Map<String, AttributeValue> attributes = Row.values();
        attributes.put(ETAG, Row.string(next.etag()));
        attributes.put(SIZE, Row.number(next.size()));
        if (next.before().isPresent()) {
            attributes.put(BEFORE, Row.number(next.before().getAsLong()));
        }
        attributes.put(
                COMMITS,
                AttributeValue.fromL(next.commits().stream().map(Row::string).toList()));
        attributes.put(OFFSET, Row.number(next.offset()));
        attributes.put(STORED, Row.flag(next.stored()));
        attributes.put(LAST, Row.string(next.commits().getLast()));
        attributes.put(CommitRows.CHANGED_AT, Row.number(now));
        Condition condition = next.partBefore().map(PartialCopyRows::endsWith).orElse(Condition.absent());
        return table.set(keyOf(next.key()), condition, attributes);
    }

    /** The part of the last commit, or of giving up, that ends the row. */
    TransactWriteItem delete(PartialCopy copy) {
        return table.delete(keyOf(copy.key()), endsWith(copy.commits().getLast()));
    }

    private static Condition endsWith(String commitId) {
        return Condition.equal(LAST, Row.string(commitId));
    }

    private Map<String, AttributeValue> keyOf(String key) {
        return Row.primaryKey(partition, Row.sortKey(key));
    }

    private static PartialCopy copy(Row row) {
        return new PartialCopy(
                row.key(Row.SORT).orElseThrow(),
                row.requiredText(ETAG),
                row.number(SIZE),
                row.attributes().containsKey(BEFORE) ? OptionalLong.of(row.number(BEFORE)) : OptionalLong.empty(),
                row.list(COMMITS).stream().map(AttributeValue::s).toList(),
                row.number(OFFSET),
                row.flag(STORED),
                row.number(CommitRows.CHANGED_AT));
    }
}
