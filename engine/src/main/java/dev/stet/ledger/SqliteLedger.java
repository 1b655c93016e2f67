package dev.stet.ledger;

import dev.stet.audit.Digest;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ledger in one SQLite file, for one machine. One connection, one call at a time; every write is a transaction that is on disk when it returns.
 * Pages are keyed by the UTF-8 bytes of {@code after}, so SQLite's order of blobs is the order of listings.
 */
public final class SqliteLedger implements Ledger {
    private static final String SCHEMA = """
            CREATE TABLE IF NOT EXISTS page (
              source TEXT NOT NULL, after BLOB NOT NULL, up_to BLOB, version INTEGER NOT NULL, entries BLOB NOT NULL,
              PRIMARY KEY (source, after)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS commits (
              id TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL, bundle_key TEXT NOT NULL, lease_until INTEGER NOT NULL,
              generation INTEGER NOT NULL, changed_at INTEGER NOT NULL, swept INTEGER NOT NULL,
              bundle_length INTEGER, bundle_crc32c INTEGER, manifest_key TEXT, objects INTEGER, records TEXT, quarantined TEXT,
              landing_bytes INTEGER, time_partitions TEXT, parts TEXT) WITHOUT ROWID;
            CREATE INDEX IF NOT EXISTS commits_by_state ON commits (state, id);
            CREATE TABLE IF NOT EXISTS partial_copy (
              source TEXT NOT NULL, key BLOB NOT NULL, etag TEXT NOT NULL, size INTEGER NOT NULL, before INTEGER, commits TEXT NOT NULL,
              "offset" INTEGER NOT NULL, stored INTEGER NOT NULL, last TEXT NOT NULL, changed_at INTEGER NOT NULL,
              PRIMARY KEY (source, key)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS compaction (
              generation INTEGER NOT NULL PRIMARY KEY, done INTEGER NOT NULL, header_key TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS pipeline (
              one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, source TEXT NOT NULL, sink TEXT NOT NULL,
              routing TEXT NOT NULL, moved_to TEXT, revision INTEGER NOT NULL);
            """;

    private final Path file;
    private final String source;
    private final Clock clock;
    private final Connection connection;

    /**
     * Opens the ledger, creating the file if there is none. The folder must exist.
     *
     * @param source whose pages these are: a pipeline pointed at another source starts afresh there
     */
    public SqliteLedger(Path file, String source, Clock clock) throws LedgerException {
        this.file = file;
        this.source = source;
        this.clock = clock;
        try {
            connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (Statement s = connection.createStatement()) {
                s.execute("PRAGMA journal_mode=WAL");
                s.execute("PRAGMA synchronous=FULL");
                s.execute("PRAGMA busy_timeout=10000");
                for (String statement : SCHEMA.split(";\n", -1)) {
                    if (!statement.isBlank()) {
                        s.execute(statement);
                    }
                }
                addMissing(s, "commits", "parts TEXT");
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** What a ledger made by an earlier version lacks. */
    private static void addMissing(Statement s, String table, String column) throws SQLException {
        String name = column.substring(0, column.indexOf(' '));
        try (ResultSet there =
                s.executeQuery("SELECT 1 FROM pragma_table_info('" + table + "') WHERE name = '" + name + "'")) {
            if (there.next()) {
                return;
            }
        }
        s.execute("ALTER TABLE " + table + " ADD COLUMN " + column);
    }

    @Override
    public Page pageOf(String key) throws LedgerException {
        return page("after < ?", key);
    }

    @Override
    public Page pageAfter(String after) throws LedgerException {
        return page("after <= ?", after);
    }

    private Page page(String condition, String key) throws LedgerException {
        return read(
                "SELECT after, up_to, version, entries FROM page WHERE source = ? AND " + condition
                        + " ORDER BY after DESC LIMIT 1",
                s -> {
                    s.setString(1, source);
                    s.setBytes(2, SqlText.utf8(key));
                },
                rows -> rows.next()
                        ? new Page(
                                SqlText.text(rows.getBytes(1)),
                                Optional.ofNullable(rows.getBytes(2)).map(SqlText::text),
                                rows.getLong(3),
                                PageEntries.unpack(rows.getBytes(4)))
                        : new Page("", Optional.empty(), 0, PageEntries.EMPTY));
    }

    @Override
    public Outcome split(Page page, String at, PageEntries left, PageEntries right) throws LedgerException {
        page.requireSplitAt(at);
        return transaction(() -> {
            if (!putPage(page.after(), Optional.of(at), page.version(), left)) {
                return Outcome.REFUSED;
            }
            try (PreparedStatement s = connection.prepareStatement(
                    "INSERT INTO page (source, after, up_to, version, entries) VALUES (?, ?, ?, 1, ?)")) {
                s.setString(1, source);
                s.setBytes(2, SqlText.utf8(at));
                s.setBytes(3, page.upTo().map(SqlText::utf8).orElse(null));
                s.setBytes(4, right.packed());
                s.executeUpdate();
            }
            return Outcome.APPLIED;
        });
    }

    /** Writes the next version of a page if it is still at {@code version}. The first page is born by its first write. */
    private boolean putPage(String after, Optional<String> upTo, long version, PageEntries entries)
            throws SQLException {
        boolean birth = version == 0;
        String sql = birth
                ? "INSERT INTO page (up_to, entries, source, after, version) VALUES (?, ?, ?, ?, ? + 1) ON CONFLICT DO NOTHING"
                : "UPDATE page SET up_to = ?, entries = ?, version = version + 1 WHERE source = ? AND after = ? AND version = ?";
        if (birth && !after.isEmpty()) {
            throw new IllegalArgumentException("only the first page can be at version 0");
        }
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            s.setBytes(1, upTo.map(SqlText::utf8).orElse(null));
            s.setBytes(2, entries.packed());
            s.setString(3, source);
            s.setBytes(4, SqlText.utf8(after));
            s.setLong(5, version);
            return s.executeUpdate() == 1;
        }
    }

    @Override
    public Outcome begin(Commit commit) throws LedgerException {
        return write(
                "INSERT INTO commits (id, state, bundle_key, lease_until, generation, changed_at, swept)"
                        + " VALUES (?, 'UPLOADING', ?, ?, 0, ?, 0) ON CONFLICT DO NOTHING",
                s -> {
                    s.setString(1, commit.id());
                    s.setString(2, commit.bundleKey());
                    s.setLong(3, commit.leaseUntil());
                    s.setLong(4, commit.changedAt());
                });
    }

    @Override
    public Outcome renewLease(String commitId, long leaseUntil) throws LedgerException {
        return write("UPDATE commits SET lease_until = ? WHERE id = ? AND state = 'UPLOADING'", s -> {
            s.setLong(1, leaseUntil);
            s.setString(2, commitId);
        });
    }

    @Override
    public Outcome commit(String commitId, CommitDetails d, List<PageUpdate> pages) throws LedgerException {
        PageUpdate.requireOneCommit(pages);
        return transaction(() -> {
            for (PageUpdate p : pages) {
                if (!updateEntries(p)) {
                    return Outcome.REFUSED;
                }
            }
            return end(commitId, CommitState.COMMITTED, d) ? Outcome.APPLIED : Outcome.REFUSED;
        });
    }

    /** Ends an UPLOADING commit with what it holds. */
    private boolean end(String commitId, CommitState state, CommitDetails d) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "UPDATE commits SET state = ?, changed_at = ?, bundle_length = ?, bundle_crc32c = ?, manifest_key = ?, objects = ?,"
                        + " records = ?, quarantined = ?, landing_bytes = ?, time_partitions = ?, parts = ? WHERE id = ? AND state = 'UPLOADING'")) {
            s.setString(1, state.name());
            s.setLong(2, clock.millis());
            s.setLong(3, d.bundleLength());
            s.setInt(4, d.bundleCrc32c());
            s.setString(5, d.manifestKey());
            s.setLong(6, d.objects());
            s.setString(7, d.records().toString());
            s.setString(8, SqlText.counts(d.quarantined()));
            s.setLong(9, d.landingBytes());
            s.setString(10, d.timePartitions().stream().map(String::valueOf).collect(Collectors.joining(" ")));
            s.setString(11, String.join(" ", d.parts()));
            s.setString(12, commitId);
            return s.executeUpdate() == 1;
        }
    }

    @Override
    public Optional<PartialCopy> partialCopy(String key) throws LedgerException {
        return read(
                "SELECT * FROM partial_copy WHERE source = ? AND key = ?",
                s -> {
                    s.setString(1, source);
                    s.setBytes(2, SqlText.utf8(key));
                },
                rows -> rows.next() ? Optional.of(partialCopy(rows)) : Optional.empty());
    }

    @Override
    public void forEachPartialCopy(Consumer<PartialCopy> action) throws LedgerException {
        List<PartialCopy> all =
                read("SELECT * FROM partial_copy WHERE source = ? ORDER BY key", s -> s.setString(1, source), rows -> {
                    List<PartialCopy> found = new java.util.ArrayList<>();
                    while (rows.next()) {
                        found.add(partialCopy(rows));
                    }
                    return found;
                });
        all.forEach(action);
    }

    private static PartialCopy partialCopy(ResultSet r) throws SQLException {
        long before = r.getLong("before");
        return new PartialCopy(
                SqlText.text(r.getBytes("key")),
                r.getString("etag"),
                r.getLong("size"),
                r.wasNull() ? OptionalLong.empty() : OptionalLong.of(before),
                List.of(r.getString("commits").split(" ", -1)),
                r.getLong("offset"),
                r.getBoolean("stored"),
                r.getLong("changed_at"));
    }

    @Override
    public Outcome commitPart(CommitDetails details, PartialCopy next) throws LedgerException {
        next.requireEndable();
        return transaction(() -> putPartialCopy(next) && end(next.commits().getLast(), CommitState.PARTIAL, details)
                ? Outcome.APPLIED
                : Outcome.REFUSED);
    }

    private boolean putPartialCopy(PartialCopy next) throws SQLException {
        String sql = next.partBefore().isEmpty()
                ? "INSERT INTO partial_copy (commits, \"offset\", stored, changed_at, last, source, key, etag, size, before)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
                : "UPDATE partial_copy SET commits = ?, \"offset\" = ?, stored = ?, changed_at = ?, last = ?"
                        + " WHERE source = ? AND key = ? AND last = ?";
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            s.setString(1, String.join(" ", next.commits()));
            s.setLong(2, next.offset());
            s.setBoolean(3, next.stored());
            s.setLong(4, clock.millis());
            s.setString(5, next.commits().getLast());
            s.setString(6, source);
            s.setBytes(7, SqlText.utf8(next.key()));
            if (next.partBefore().isPresent()) {
                s.setString(8, next.partBefore().get());
            } else {
                s.setString(8, next.etag());
                s.setLong(9, next.size());
                s.setObject(10, next.before().isPresent() ? next.before().getAsLong() : null);
            }
            return s.executeUpdate() == 1;
        }
    }

    @Override
    public Outcome commitLast(String commitId, CommitDetails details, PageUpdate page, PartialCopy copy)
            throws LedgerException {
        copy.requireEndable();
        return transaction(() -> updateEntries(page)
                        && endPartialCopy(copy, CommitState.COMMITTED)
                        && end(commitId, CommitState.COMMITTED, details)
                ? Outcome.APPLIED
                : Outcome.REFUSED);
    }

    @Override
    public Outcome abandonPartialCopy(PartialCopy copy) throws LedgerException {
        copy.requireEndable();
        return transaction(() -> endPartialCopy(copy, CommitState.ABANDONED) ? Outcome.APPLIED : Outcome.REFUSED);
    }

    /** The row goes, if it is at that version, and all its commits go on to that state. */
    private boolean endPartialCopy(PartialCopy copy, CommitState state) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("DELETE FROM partial_copy WHERE source = ? AND key = ? AND last = ?")) {
            s.setString(1, source);
            s.setBytes(2, SqlText.utf8(copy.key()));
            s.setString(3, copy.commits().getLast());
            if (s.executeUpdate() != 1) {
                return false;
            }
        }
        try (PreparedStatement s = connection.prepareStatement(
                "UPDATE commits SET state = ?, changed_at = ? WHERE id = ? AND state = 'PARTIAL'")) {
            for (String id : copy.commits()) {
                s.setString(1, state.name());
                s.setLong(2, clock.millis());
                s.setString(3, id);
                if (s.executeUpdate() != 1) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A page of version 0 must still be the only one when it is born here. */
    private boolean updateEntries(PageUpdate p) throws SQLException {
        if (p.version() == 0) {
            return putPage(p.after(), Optional.empty(), 0, p.entries());
        }
        try (PreparedStatement s = connection.prepareStatement(
                "UPDATE page SET entries = ?, version = version + 1 WHERE source = ? AND after = ? AND version = ?")) {
            s.setBytes(1, p.entries().packed());
            s.setString(2, source);
            s.setBytes(3, SqlText.utf8(p.after()));
            s.setLong(4, p.version());
            return s.executeUpdate() == 1;
        }
    }

    @Override
    public Outcome abandon(String commitId) throws LedgerException {
        return write(
                "UPDATE commits SET state = 'ABANDONED', changed_at = ? WHERE id = ? AND state = 'UPLOADING'", s -> {
                    s.setLong(1, clock.millis());
                    s.setString(2, commitId);
                });
    }

    @Override
    public Outcome retire(String commitId, long generation) throws LedgerException {
        return write(
                "UPDATE commits SET state = 'RETIRED', generation = ?, changed_at = ? WHERE id = ? AND state = 'COMMITTED'",
                s -> {
                    s.setLong(1, generation);
                    s.setLong(2, clock.millis());
                    s.setString(3, commitId);
                });
    }

    @Override
    public void markSwept(String commitId) throws LedgerException {
        write(
                "UPDATE commits SET swept = 1 WHERE id = ? AND state IN ('ABANDONED', 'RETIRED')",
                s -> s.setString(1, commitId));
    }

    @Override
    public void forget(String commitId) throws LedgerException {
        write(
                "DELETE FROM commits WHERE id = ? AND swept = 1 AND state IN ('ABANDONED', 'RETIRED')",
                s -> s.setString(1, commitId));
    }

    @Override
    public Optional<Commit> find(String commitId) throws LedgerException {
        return read(
                "SELECT * FROM commits WHERE id = ?",
                s -> s.setString(1, commitId),
                rows -> rows.next() ? Optional.of(commit(rows)) : Optional.empty());
    }

    @Override
    public void forEach(CommitState state, Consumer<Commit> action) throws LedgerException {
        String last = "";
        while (true) {
            String from = last;
            List<Commit> batch = read(
                    "SELECT * FROM commits WHERE state = ? AND id > ? ORDER BY id LIMIT 500",
                    s -> {
                        s.setString(1, state.name());
                        s.setString(2, from);
                    },
                    SqliteLedger::commits);
            if (batch.isEmpty()) {
                return;
            }
            batch.forEach(action);
            last = batch.getLast().id();
        }
    }

    @Override
    public Optional<Compaction> latestCompaction() throws LedgerException {
        return read(
                "SELECT generation, done, header_key FROM compaction ORDER BY generation DESC LIMIT 1",
                s -> {},
                rows -> rows.next()
                        ? Optional.of(new Compaction(rows.getLong(1), rows.getBoolean(2), rows.getString(3)))
                        : Optional.empty());
    }

    @Override
    public Outcome openCompaction(long generation, String headerKey) throws LedgerException {
        return write("""
                INSERT INTO compaction (generation, done, header_key) SELECT ?, 0, ?
                WHERE ? = COALESCE((SELECT MAX(generation) FROM compaction), 0) + 1
                  AND NOT EXISTS (SELECT 1 FROM compaction WHERE done = 0)""", s -> {
            s.setLong(1, generation);
            s.setString(2, headerKey);
            s.setLong(3, generation);
        });
    }

    @Override
    public Outcome finishCompaction(long generation) throws LedgerException {
        return write("UPDATE compaction SET done = 1 WHERE generation = ? AND done = 0", s -> s.setLong(1, generation));
    }

    @Override
    public Optional<PipelineRow> pipeline() throws LedgerException {
        return read(
                "SELECT id, source, sink, routing, moved_to, revision FROM pipeline",
                s -> {},
                rows -> rows.next()
                        ? Optional.of(new PipelineRow(
                                rows.getString(1),
                                rows.getString(2),
                                rows.getString(3),
                                rows.getString(4),
                                Optional.ofNullable(rows.getString(5)).map(PipelineRow.Move::parse),
                                rows.getLong(6)))
                        : Optional.empty());
    }

    @Override
    public Outcome savePipeline(PipelineRow row, long expectedRevision) throws LedgerException {
        String sql = expectedRevision == 0
                ? "INSERT INTO pipeline (id, source, sink, routing, moved_to, revision, one) VALUES (?, ?, ?, ?, ?, ? + 1, 1)"
                        + " ON CONFLICT DO NOTHING"
                : "UPDATE pipeline SET id = ?, source = ?, sink = ?, routing = ?, moved_to = ?, revision = revision + 1"
                        + " WHERE revision = ?";
        return write(sql, s -> {
            s.setString(1, row.id());
            s.setString(2, row.source());
            s.setString(3, row.sink());
            s.setString(4, row.routing());
            s.setString(5, row.move().map(PipelineRow.Move::text).orElse(null));
            s.setLong(6, expectedRevision);
        });
    }

    @Override
    public synchronized void close() throws LedgerException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private static List<Commit> commits(ResultSet rows) throws SQLException {
        List<Commit> all = new java.util.ArrayList<>();
        while (rows.next()) {
            all.add(commit(rows));
        }
        return all;
    }

    private static Commit commit(ResultSet r) throws SQLException {
        Optional<CommitDetails> details = r.getString("records") == null
                ? Optional.empty()
                : Optional.of(new CommitDetails(
                        r.getLong("bundle_length"),
                        r.getInt("bundle_crc32c"),
                        r.getString("manifest_key"),
                        r.getLong("objects"),
                        Digest.parse(r.getString("records")),
                        SqlText.counts(r.getString("quarantined")),
                        r.getLong("landing_bytes"),
                        words(r.getString("time_partitions")).map(Long::valueOf).toList(),
                        words(Optional.ofNullable(r.getString("parts")).orElse(""))
                                .toList()));
        return new Commit(
                r.getString("id"),
                CommitState.valueOf(r.getString("state")),
                r.getString("bundle_key"),
                r.getLong("lease_until"),
                details,
                r.getLong("generation"),
                r.getLong("changed_at"),
                r.getBoolean("swept"));
    }

    private static Stream<String> words(String text) {
        return Arrays.stream(text.split(" ", -1)).filter(t -> !t.isEmpty());
    }

    private interface Bind {
        void to(PreparedStatement statement) throws SQLException;
    }

    private interface Rows<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private interface Work {
        Outcome run() throws SQLException;
    }

    private synchronized <T> T read(String sql, Bind bind, Rows<T> rows) throws LedgerException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            bind.to(s);
            try (ResultSet r = s.executeQuery()) {
                return rows.read(r);
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** One statement, which is a transaction of its own. */
    private synchronized Outcome write(String sql, Bind bind) throws LedgerException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            bind.to(s);
            return s.executeUpdate() == 1 ? Outcome.APPLIED : Outcome.REFUSED;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /**
     * Several statements: all of them, or nothing of any when the work is refused or fails. The driver's own transactions are not used: after one that
     * SQLite rolled back by itself (the disk is full), the driver lets the next run without any.
     */
    private synchronized Outcome transaction(Work work) throws LedgerException {
        try (Statement s = connection.createStatement()) {
            s.execute("BEGIN IMMEDIATE");
            boolean kept = false;
            try {
                Outcome outcome = work.run();
                if (outcome == Outcome.APPLIED) {
                    s.execute("COMMIT");
                    kept = true;
                }
                return outcome;
            } finally {
                if (!kept) {
                    rollBack(s);
                }
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private static void rollBack(Statement s) {
        try {
            s.execute("ROLLBACK");
        } catch (SQLException alreadyRolledBack) {
            // By SQLite itself. Were it for another reason, the next BEGIN would fail.
        }
    }

    private LedgerException failure(SQLException e) {
        String text = String.valueOf(e.getMessage());
        String why = text.contains("SQLITE_FULL")
                ? "no space left for the ledger; free some and run the same command again"
                : text.contains("SQLITE_CORRUPT") || text.contains("SQLITE_NOTADB")
                        ? "the ledger is damaged (restore it from a copy)"
                        : "the ledger cannot be used: " + text;
        return new LedgerException(why + ": " + file, e);
    }

    /** Text forms of columns. */
    private static final class SqlText {
        static byte[] utf8(String s) {
            return s.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }

        static String text(byte[] b) {
            return new String(b, java.nio.charset.StandardCharsets.UTF_8);
        }

        static String counts(Map<String, Long> counts) {
            return new TreeMap<>(counts)
                    .entrySet().stream()
                            .map(e -> e.getKey() + "=" + e.getValue())
                            .collect(Collectors.joining(" "));
        }

        static Map<String, Long> counts(String text) {
            return Arrays.stream(text.split(" ", -1))
                    .filter(t -> !t.isEmpty())
                    .map(t -> t.split("=", -1))
                    .collect(Collectors.toMap(t -> t[0], t -> Long.valueOf(t[1])));
        }
    }
}
