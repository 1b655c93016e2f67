package dev.stet.aws.dynamodb;

import dev.stet.ledger.Ledger.Outcome;
import dev.stet.ledger.LedgerException;
import dev.stet.ledger.Page;
import dev.stet.ledger.PageEntries;
import dev.stet.ledger.PageUpdate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The pages of one source, each extent's in a partition of its own. Thread-safe. */
final class PageRows {
    private static final String VERSION = "page_version";
    private static final String ENTRIES = "page_entries";
    private static final String UP_TO = "up_to";
    /** How many splits at the end of its extent came before; counts what makes an extent large, at no cost. */
    private static final String ORDINAL = "page_ordinal";

    private static final String BORN_BY = "born_by";

    private final TableCalls table;
    private final ExtentRows extents;
    private final String partition;
    private final int pagesPerExtent;

    /** @param pagesPerExtent a split of the very last page begins a new extent when its extent has so many pages */
    PageRows(TableCalls table, ExtentRows extents, String partition, int pagesPerExtent) {
        this.table = table;
        this.extents = extents;
        this.partition = partition;
        this.pagesPerExtent = pagesPerExtent;
    }

    Page pageOf(String key) throws IOException {
        ExtentMap map = extents.current();
        Page page = lastIn(map, map.holding(key), before(key));
        if (!page.range().contains(key)) {
            // It ends where an extent begins that was appended since the map was read.
            ExtentMap newer = extents.refresh();
            page = lastIn(newer, newer.holding(key), before(key));
        }
        return requireRange(page, page.range().contains(key));
    }

    Page pageAfter(String after) throws IOException {
        ExtentMap map = extents.current();
        Page page = lastIn(map, map.after(after), upTo(after));
        if (!goesOnAfter(page, after)) {
            ExtentMap newer = extents.refresh();
            page = lastIn(newer, newer.after(after), upTo(after));
        }
        return requireRange(page, goesOnAfter(page, after));
    }

    private static boolean goesOnAfter(Page page, String after) {
        return page.after().equals(after)
                || (page.range().contains(after) && !page.upTo().equals(Optional.of(after)));
    }

    private static Page requireRange(Page page, boolean right) throws LedgerException {
        if (!right) {
            throw new LedgerException("the ledger's pages do not join: one ends at " + page.upTo());
        }
        return page;
    }

    /** A condition on the sort key of pages. */
    private record Bound(String condition, AttributeValue sort) {}

    /** Pages that begin before that key. */
    private static Bound before(String key) {
        byte[] bytes = Row.utf8(key);
        // No sort key is as long as such a key; and the one of the first page stands for what is before all keys.
        return bytes.length > Row.MAX_SORT_BYTES || !Row.canBeSortKey(key)
                ? upTo(key)
                : new Bound(" AND " + Row.SORT + " < :sort", Row.sortKey(key));
    }

    private static Bound upTo(String key) {
        byte[] bytes = Row.utf8(key);
        AttributeValue sort = bytes.length > Row.MAX_SORT_BYTES
                ? Row.binary(java.util.Arrays.copyOf(bytes, Row.MAX_SORT_BYTES))
                : Row.sortKey(key);
        return new Bound(" AND " + Row.SORT + " <= :sort", sort);
    }

    private Page lastIn(ExtentMap map, int extent, Bound bound) throws IOException {
        Optional<Row> row = table.last(partitionOf(extent), bound.condition(), Map.of(":sort", bound.sort()));
        return row.isPresent() ? page(row.get()) : new Page(map.first(extent), map.end(extent), 0, PageEntries.EMPTY);
    }

    private static Page page(Row row) {
        return new Page(
                row.key(Row.SORT).orElseThrow(),
                row.key(UP_TO),
                row.number(VERSION),
                PageEntries.unpack(row.bytes(ENTRIES)));
    }

    /** The part of a commit that writes this page. */
    TransactWriteItem update(PageUpdate update) throws IOException {
        ExtentMap map = extents.current();
        int extent = map.after(update.after());
        if (update.version() > 0) {
            return write(extent, update.after(), update.version(), update.entries(), Row.values());
        }
        Map<String, AttributeValue> attributes = Row.values();
        map.end(extent).ifPresent(end -> attributes.put(UP_TO, Row.sortKey(end)));
        return write(extent, requireFirst(map, extent, update.after()), 0, update.entries(), attributes);
    }

    private static String requireFirst(ExtentMap map, int extent, String after) {
        if (!map.first(extent).equals(after)) {
            throw new IllegalArgumentException("only the first page of an extent can be at version 0");
        }
        return after;
    }

    Outcome split(Page page, String at, PageEntries left, PageEntries right, AttributeValue token) throws IOException {
        if (!Row.canBeSortKey(at)) {
            throw new LedgerException(
                    "DynamoDB cannot hold the key of a page that long; keep the ledger in SQLite: " + at);
        }
        ExtentMap map = extents.current();
        int extent = map.after(page.after());
        if (page.version() == 0) {
            requireFirst(map, extent, page.after());
        }
        long ordinal = page.upTo().isEmpty()
                ? table.get(keyOf(extent, page.after()))
                                .map(r -> r.number(ORDINAL))
                                .orElse(0L)
                        + 1
                : 0;
        boolean newExtent = ordinal >= pagesPerExtent;

        List<TransactWriteItem> changes = new ArrayList<>();
        changes.add(write(extent, page.after(), page.version(), left, Map.of(UP_TO, Row.sortKey(at))));
        Map<String, AttributeValue> born = Row.values();
        page.upTo().ifPresent(end -> born.put(UP_TO, Row.sortKey(end)));
        born.put(ORDINAL, Row.number(newExtent ? 0 : ordinal));
        born.put(BORN_BY, token);
        int rightExtent = newExtent ? extent + 1 : extent;
        changes.add(write(rightExtent, at, 0, right, born));
        if (newExtent) {
            changes.add(extents.append(at, token));
        }
        Outcome outcome = table.write(changes, Optional.of(new Proof(keyOf(rightExtent, at), BORN_BY, token)));
        if (newExtent) {
            extents.refresh();
        }
        return outcome;
    }

    private TransactWriteItem write(
            int extent, String after, long version, PageEntries entries, Map<String, AttributeValue> more) {
        Map<String, AttributeValue> attributes = Row.values();
        attributes.putAll(more);
        attributes.put(VERSION, Row.number(version + 1));
        attributes.put(ENTRIES, Row.binary(entries.packed()));
        Condition condition = version == 0 ? Condition.absent() : Condition.equal(VERSION, Row.number(version));
        return table.set(keyOf(extent, after), condition, attributes);
    }

    private Map<String, AttributeValue> keyOf(int extent, String after) {
        return Row.primaryKey(partitionOf(extent), Row.sortKey(after));
    }

    private String partitionOf(int extent) {
        return partition + "#" + extent;
    }
}
