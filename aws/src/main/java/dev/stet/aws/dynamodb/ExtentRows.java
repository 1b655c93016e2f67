package dev.stet.aws.dynamodb;

import dev.stet.ledger.Ledger.Outcome;
import dev.stet.ledger.LedgerException;
import dev.stet.store.KeyOrder;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The rows of the extents of one source. One row holds the plan, so that it is made by one write, or by another's; each extent appended later has a row of
 * its own. No page is looked up before there is a plan. Thread-safe.
 */
final class ExtentRows {
    /** So that the row stays far below the size that an item may have. */
    private static final int MAX_PLAN_BYTES = 300_000;

    private static final int MAX_TRIES = 8;

    private static final String PLANNED = "planned_firsts";
    private static final String MADE_BY = "made_by";

    private final TableCalls table;
    private final String partition;
    private volatile Optional<ExtentMap> known = Optional.empty();

    ExtentRows(TableCalls table, String partition) {
        this.table = table;
        this.partition = partition;
    }

    /** As last read; where there is no plan yet, one of a single extent is made. */
    ExtentMap current() throws IOException {
        Optional<ExtentMap> map = known;
        return map.isPresent() ? map.get() : refresh();
    }

    ExtentMap refresh() throws IOException {
        IOException last = new IOException("a plan was stored and is gone");
        for (int i = 0; i < MAX_TRIES; i++) {
            Optional<ExtentMap> map = read();
            if (map.isPresent()) {
                known = map;
                return map.get();
            }
            try {
                Outcome _ = plan(List.of(), Row.string("default"));
            } catch (UnknownOutcomeException e) {
                // This is part of a read, of which nothing can be unknown; that there is a plan is all that matters,
                // not whose.
                last = e;
            }
        }
        throw new LedgerException("no plan of extents can be stored: " + partition, last);
    }

    /** Stores the plan if there is none. */
    Outcome plan(List<String> firsts, AttributeValue token) throws IOException {
        List<String> sorted = firsts.stream().sorted(KeyOrder.UTF8).distinct().toList();
        if (!sorted.stream().allMatch(f -> !f.isEmpty() && Row.canBeSortKey(f))
                || sorted.stream().mapToInt(f -> Row.utf8(f).length + 8).sum() > MAX_PLAN_BYTES) {
            throw new IllegalArgumentException("no plan of extents can be made of these " + sorted.size() + " keys");
        }
        Map<String, AttributeValue> key = Row.primaryKey(partition, Row.sortKey(""));
        List<AttributeValue> list = sorted.stream().map(Row::sortKey).toList();
        return table.write(
                List.of(table.set(
                        key, Condition.absent(), Map.of(PLANNED, AttributeValue.fromL(list), MADE_BY, token))),
                Optional.of(new Proof(key, MADE_BY, token)));
    }

    /** Part of a split: the next extent, beginning after that key. */
    TransactWriteItem append(String first, AttributeValue token) {
        return table.set(Row.primaryKey(partition, Row.sortKey(first)), Condition.absent(), Map.of(MADE_BY, token));
    }

    private Optional<ExtentMap> read() throws IOException {
        List<Row> rows = table.all(partition);
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<String> firsts = new ArrayList<>(List.of(""));
        rows.getFirst().list(PLANNED).forEach(first -> firsts.add(Row.key(first)));
        rows.stream().skip(1).forEach(r -> firsts.add(r.key(Row.SORT).orElseThrow()));
        return Optional.of(new ExtentMap(List.copyOf(firsts)));
    }
}
