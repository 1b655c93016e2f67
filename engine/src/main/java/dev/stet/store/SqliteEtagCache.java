package dev.stet.store;

import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cache in a SQLite file of its own, apart from the ledger so that writing it never waits for a commit to reach the disk. SQLite is loaded (half a
 * second) when there is something to look up or to write. What was remembered is written a thousand at a time; a crash loses the rest, which is then read
 * once more. A file that SQLite cannot use is made anew, and where that fails too, the cache is empty.
 *
 * <p>SQLite unpacks its native library into {@code org.sqlite.tmpdir}, which whoever opens the state folder sets, once, before SQLite is loaded: here it
 * would be too late if the ledger came first.
 */
public final class SqliteEtagCache implements EtagCache {
    private static final int BATCH = 1_000;
    private static final int CORRUPT = 11;
    private static final int NOT_A_DATABASE = 26;

    private final Path file;
    private final Map<String, Known> unwritten = new LinkedHashMap<>();
    private Optional<Connection> connection = Optional.empty();
    private boolean broken;

    /** Uses that file, made on demand; its folder must exist. */
    public SqliteEtagCache(Path file) {
        this.file = file;
    }

    /** The cache of one source in a state folder; another source has another file, since keys are relative to the source. */
    public static SqliteEtagCache of(Path stateFolder, String source) {
        String id = "%016x".formatted(Hashing.xxh3_64().hashCharsToLong(source));
        return new SqliteEtagCache(stateFolder.resolve("etags-" + id + ".sqlite"));
    }

    private record Known(String revision, String etag) {
        Optional<String> of(String revision) {
            return this.revision.equals(revision) ? Optional.of(etag) : Optional.empty();
        }
    }

    @Override
    public synchronized List<Optional<String>> lookup(List<ObjectInfo> ordered) {
        List<Optional<String>> etags = new ArrayList<>(ordered.size());
        try {
            if (!ordered.isEmpty() && isThere()) {
                find(connect(), ordered, etags);
            }
        } catch (SQLException e) {
            giveUp();
        }
        for (int i = 0; i < ordered.size(); i++) {
            if (i == etags.size()) {
                etags.add(Optional.empty());
            }
            ObjectInfo object = ordered.get(i);
            Known known = unwritten.get(object.key());
            if (known != null) {
                etags.set(i, known.of(object.revision()));
            }
        }
        return etags;
    }

    @Override
    public synchronized void remember(String key, String revision, String etag) {
        if (broken) {
            return;
        }
        unwritten.put(key, new Known(revision, etag));
        if (unwritten.size() >= BATCH) {
            write();
        }
    }

    @Override
    public synchronized void close() {
        if (!unwritten.isEmpty()) {
            write();
        }
        giveUp();
    }

    private boolean isThere() {
        return !broken && (connection.isPresent() || Files.exists(file));
    }

    /** Walks the objects and the rows of their range side by side, unless the range holds many rows of files that are gone. */
    private static void find(Connection c, List<ObjectInfo> ordered, List<Optional<String>> etags) throws SQLException {
        long stale = 0;
        try (PreparedStatement range =
                c.prepareStatement("SELECT key, revision, etag FROM etag WHERE key BETWEEN ? AND ? ORDER BY key")) {
            range.setString(1, ordered.getFirst().key());
            range.setString(2, ordered.getLast().key());
            try (ResultSet rows = range.executeQuery()) {
                while (stale < 4L * BATCH && rows.next()) {
                    String key = rows.getString(1);
                    while (etags.size() < ordered.size()
                            && KeyOrder.compare(ordered.get(etags.size()).key(), key) < 0) {
                        etags.add(Optional.empty());
                    }
                    if (etags.size() < ordered.size()
                            && ordered.get(etags.size()).key().equals(key)) {
                        etags.add(new Known(rows.getString(2), rows.getString(3))
                                .of(ordered.get(etags.size()).revision()));
                    } else {
                        stale++;
                    }
                }
            }
        }
        if (stale < 4L * BATCH) {
            return;
        }
        try (PreparedStatement one = c.prepareStatement("SELECT revision, etag FROM etag WHERE key = ?")) {
            while (etags.size() < ordered.size()) {
                ObjectInfo object = ordered.get(etags.size());
                one.setString(1, object.key());
                try (ResultSet row = one.executeQuery()) {
                    etags.add(
                            row.next()
                                    ? new Known(row.getString(1), row.getString(2)).of(object.revision())
                                    : Optional.empty());
                }
            }
        }
    }

    private void write() {
        try {
            Connection c = connect();
            try (PreparedStatement put =
                    c.prepareStatement("INSERT OR REPLACE INTO etag (key, revision, etag) VALUES (?, ?, ?)")) {
                for (Map.Entry<String, Known> e : unwritten.entrySet()) {
                    put.setString(1, e.getKey());
                    put.setString(2, e.getValue().revision());
                    put.setString(3, e.getValue().etag());
                    put.addBatch();
                }
                put.executeBatch();
            }
            c.commit();
            unwritten.clear();
        } catch (SQLException e) {
            giveUp();
        }
    }

    private Connection connect() throws SQLException {
        if (connection.isEmpty()) {
            Connection c;
            try {
                c = open();
            } catch (SQLException e) {
                if (!isDamaged(e)) {
                    throw e;
                }
                discard();
                c = open();
            }
            connection = Optional.of(c);
        }
        return connection.get();
    }

    private Connection open() throws SQLException {
        Connection c = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement s = c.createStatement()) {
            s.execute("PRAGMA journal_mode=WAL");
            // A power failure may lose the last batches, never tear one.
            s.execute("PRAGMA synchronous=NORMAL");
            s.execute("PRAGMA busy_timeout=10000");
            s.execute("CREATE TABLE IF NOT EXISTS etag (key TEXT NOT NULL PRIMARY KEY, revision TEXT NOT NULL,"
                    + " etag TEXT NOT NULL) WITHOUT ROWID");
            c.setAutoCommit(false);
            return c;
        } catch (SQLException e) {
            c.close();
            throw e;
        }
    }

    private static boolean isDamaged(SQLException e) {
        int code = e.getErrorCode() & 0xFF;
        return code == CORRUPT || code == NOT_A_DATABASE;
    }

    private void discard() {
        for (String suffix : List.of("", "-wal", "-shm")) {
            try {
                Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
            } catch (IOException e) {
                broken = true;
            }
        }
    }

    private void giveUp() {
        broken = true;
        unwritten.clear();
        try {
            if (connection.isPresent()) {
                connection.get().close();
            }
        } catch (SQLException e) {
            // Nothing depends on it.
        }
        connection = Optional.empty();
    }
}
