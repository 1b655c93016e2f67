package dev.stet.aws.dynamodb;

import dev.stet.audit.Digest;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.CommitState;
import dev.stet.store.KeyOrder;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** The form of commits: their keys, spread over shards, and their attributes. */
final class CommitRows {
    /** Each takes a thousand writes a second. Part of the keys: never to be changed. */
    private static final int SHARDS = 8;

    static final String STATE = "commit_state";
    static final String LEASE_UNTIL = "lease_until";
    static final String GENERATION = "landed_by";
    static final String CHANGED_AT = "changed_at";
    static final String SWEPT = "is_swept";
    static final String DETAILS = "commit_details";
    private static final String BUNDLE_KEY = "bundle_key";

    private final TableCalls table;
    private final String partition;

    CommitRows(TableCalls table, String partition) {
        this.table = table;
        this.partition = partition;
    }

    Map<String, AttributeValue> keyOf(String id) {
        return Row.primaryKey(partition + "#" + Math.floorMod(id.hashCode(), SHARDS), Row.binary(Row.utf8(id)));
    }

    static AttributeValue state(CommitState state) {
        return Row.string(state.name());
    }

    static Map<String, AttributeValue> begun(Commit commit) {
        Map<String, AttributeValue> row = Row.values();
        row.put(STATE, state(CommitState.UPLOADING));
        row.put(BUNDLE_KEY, Row.string(commit.bundleKey()));
        row.put(LEASE_UNTIL, Row.number(commit.leaseUntil()));
        row.put(CHANGED_AT, Row.number(commit.changedAt()));
        return row;
    }

    static AttributeValue details(CommitDetails d) {
        Map<String, AttributeValue> quarantined = new TreeMap<>();
        d.quarantined().forEach((reason, items) -> quarantined.put(reason, Row.number(items)));
        return AttributeValue.fromM(Map.of(
                "length", Row.number(d.bundleLength()),
                "crc32c", Row.number(d.bundleCrc32c()),
                "manifest", Row.string(d.manifestKey()),
                "objects", Row.number(d.objects()),
                "records", Row.string(d.records().toString()),
                "quarantined", AttributeValue.fromM(quarantined),
                "landing", Row.number(d.landingBytes()),
                "times",
                        Row.string(
                                d.timePartitions().stream().map(String::valueOf).collect(Collectors.joining(" "))),
                "parts", Row.string(String.join(" ", d.parts()))));
    }

    private static CommitDetails details(Row row) {
        return new CommitDetails(
                row.number("length"),
                (int) row.number("crc32c"),
                row.requiredText("manifest"),
                row.number("objects"),
                Digest.parse(row.requiredText("records")),
                row.map("quarantined").orElseThrow().attributes().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                e -> Long.valueOf(e.getValue().n()))),
                row.number("landing"),
                words(row.requiredText("times")).map(Long::valueOf).toList(),
                words(row.requiredText("parts")).toList());
    }

    private static Stream<String> words(String text) {
        return Stream.of(text.split(" ", -1)).filter(t -> !t.isEmpty());
    }

    static Commit commit(Row row) {
        return new Commit(
                row.key(Row.SORT).orElseThrow(),
                CommitState.valueOf(row.requiredText(STATE)),
                row.requiredText(BUNDLE_KEY),
                row.number(LEASE_UNTIL),
                row.map(DETAILS).map(CommitRows::details),
                row.number(GENERATION),
                row.number(CHANGED_AT),
                row.flag(SWEPT));
    }

    /** The shards are read side by side, so that the ids come in order and no more than one answer of each is held. */
    void forEach(CommitState state, Consumer<Commit> action) throws IOException {
        PriorityQueue<Shard> shards =
                new PriorityQueue<>(Comparator.comparing(s -> s.head().id(), KeyOrder.UTF8));
        for (int i = 0; i < SHARDS; i++) {
            Shard shard = new Shard(partition + "#" + i, state);
            if (shard.fill()) {
                shards.add(shard);
            }
        }
        while (!shards.isEmpty()) {
            Shard shard = shards.remove();
            action.accept(shard.next());
            if (shard.fill()) {
                shards.add(shard);
            }
        }
    }

    /** One shard being read. */
    private final class Shard {
        private final String partition;
        private final CommitState state;
        private final Queue<Commit> read = new ArrayDeque<>();
        private Map<String, AttributeValue> from = Map.of();
        private boolean end;

        Shard(String partition, CommitState state) {
            this.partition = partition;
            this.state = state;
        }

        /** Whether there is a head. */
        boolean fill() throws IOException {
            while (read.isEmpty() && !end) {
                QueryResponse answer = table.query(r -> TableCalls.from(from, r)
                        .keyConditionExpression(Row.PARTITION + " = :partition")
                        .filterExpression(STATE + " = :state")
                        .expressionAttributeValues(
                                Map.of(":partition", Row.string(partition), ":state", state(state))));
                answer.items().forEach(item -> read.add(commit(new Row(item))));
                from = answer.lastEvaluatedKey();
                end = from.isEmpty();
            }
            return !read.isEmpty();
        }

        Commit head() {
            return read.element();
        }

        Commit next() {
            return read.remove();
        }
    }
}
