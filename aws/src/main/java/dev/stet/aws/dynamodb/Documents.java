package dev.stet.aws.dynamodb;

import dev.stet.ledger.Ledger.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Documents with versions, sets of names and counters, in the table that holds the ledger. What they mean is their owner's business. Made by
 * {@link DynamoDb#documents}; safe for use by many threads and machines at once.
 *
 * <p>A document is the item of partition key {@code id} and sort key {@code document}; a name in a set is an item of the set's partition; a counter is spread
 * over {@value #SHARDS} items of its partition, since each takes a thousand writes a second.
 */
public final class Documents {
    private static final int SHARDS = 8;
    private static final AttributeValue DOCUMENT = Row.binary(Row.utf8("document"));
    private static final String COUNTERS = "counters#";

    private static final String VERSION = "document_version";
    private static final String BODY = "document_body";
    private static final String WRITTEN_BY = "written_by";
    private static final String MEMBER = "is_member";

    /** What is stored under an id. @param version 1 when it was first put, one more with each change */
    public record Document(long version, String body) {}

    /** One part of a write. */
    public sealed interface Change {}

    /** The document, if it is still at that version. @param expected 0: there is none yet */
    public record Put(String id, long expected, String body) implements Change {}

    /** No document, if it is still at that version. */
    public record Delete(String id, long expected) implements Change {}

    /** The name is in the set from now on. */
    public record Join(String set, String name) implements Change {}

    /** The name is not in the set any more. */
    public record Leave(String set, String name) implements Change {}

    private final TableCalls table;

    Documents(TableCalls table) {
        this.table = table;
    }

    public Optional<Document> find(String id) throws IOException {
        return table.get(key(id)).map(r -> new Document(r.number(VERSION), r.requiredText(BODY)));
    }

    /**
     * All changes, or none when a document is not at the version that is expected of it.
     *
     * @param changes at most one of each document; the first is a {@link Put} or {@link Delete}
     */
    public Outcome write(List<Change> changes) throws IOException {
        AttributeValue token = Tokens.next();
        List<TransactWriteItem> items = new ArrayList<>();
        for (Change change : changes) {
            items.add(item(change, token));
        }
        Optional<Proof> proof = changes.getFirst() instanceof Put put
                ? Optional.of(new Proof(key(put.id()), WRITTEN_BY, token))
                : Optional.empty();
        return table.write(items, proof);
    }

    private TransactWriteItem item(Change change, AttributeValue token) {
        return switch (change) {
            case Put put -> {
                Map<String, AttributeValue> attributes = Row.values();
                attributes.put(VERSION, Row.number(put.expected() + 1));
                attributes.put(BODY, Row.string(put.body()));
                attributes.put(WRITTEN_BY, token);
                yield table.set(key(put.id()), at(put.expected()), attributes);
            }
            case Delete delete -> table.delete(key(delete.id()), at(delete.expected()));
            // The condition holds always: a transaction's change must have one.
            case Join join -> table.set(member(join.set(), join.name()), ANYWAY, Map.of(MEMBER, Row.flag(true)));
            case Leave leave -> table.delete(member(leave.set(), leave.name()), ANYWAY);
        };
    }

    private static final Condition ANYWAY = new Condition(
            "attribute_not_exists(" + Row.PARTITION + ") OR " + MEMBER + " = :c", Map.of(":c", Row.flag(true)));

    private static Condition at(long version) {
        return version == 0 ? Condition.absent() : Condition.equal(VERSION, Row.number(version));
    }

    /**
     * Names of a set in order of their bytes.
     *
     * @param after only those behind this one
     */
    public List<String> names(String set, Optional<String> after, boolean descending, int limit) throws IOException {
        List<String> names = new ArrayList<>();
        Map<String, AttributeValue> from = after.map(name -> member(set, name)).orElse(Map.of());
        do {
            Map<String, AttributeValue> start = from;
            QueryResponse page = table.query(r -> TableCalls.from(start, r)
                    .keyConditionExpression(Row.PARTITION + " = :partition")
                    .expressionAttributeValues(Map.of(":partition", Row.string(set)))
                    .scanIndexForward(!descending)
                    .limit(limit - names.size()));
            page.items().forEach(item -> names.add(new Row(item).key(Row.SORT).orElseThrow()));
            from = page.lastEvaluatedKey();
        } while (!from.isEmpty() && names.size() < limit);
        return names;
    }

    /**
     * Adds to counters; nothing is read or compared, so an answer that was lost and asked again may count twice.
     *
     * @param amounts by name of the counter
     */
    public void add(String id, Map<String, Long> amounts) throws IOException {
        Map<String, Long> some = new TreeMap<>(amounts);
        some.values().removeIf(n -> n == 0);
        if (!some.isEmpty()) {
            int shard = ThreadLocalRandom.current().nextInt(SHARDS);
            table.add(Row.primaryKey(id, Row.binary(Row.utf8(COUNTERS + shard))), some);
        }
    }

    /** The sums of the counters. */
    public Map<String, Long> sums(String id) throws IOException {
        Map<String, Long> sums = new TreeMap<>();
        for (Row row : table.all(id)) {
            if (row.key(Row.SORT).orElseThrow().startsWith(COUNTERS)) {
                row.counters().forEach((name, n) -> sums.merge(name, n, Long::sum));
            }
        }
        return sums;
    }

    private static Map<String, AttributeValue> key(String id) {
        return Row.primaryKey(id, DOCUMENT);
    }

    private static Map<String, AttributeValue> member(String set, String name) {
        return Row.primaryKey(set, Row.binary(Row.utf8(name)));
    }
}
