package dev.stet.registry;

import dev.stet.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The registry of one machine, in a SQLite file that several processes use at once: commands, a server, runs. One connection, one call at a time; every
 * write is on disk when it returns.
 */
public final class SqliteRegistryStore implements RegistryStore {
    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE IF NOT EXISTS document (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body TEXT NOT NULL)"
                    + " WITHOUT ROWID",
            "CREATE TABLE IF NOT EXISTS member (of_set TEXT NOT NULL, name BLOB NOT NULL, PRIMARY KEY (of_set, name))"
                    + " WITHOUT ROWID",
            "CREATE TABLE IF NOT EXISTS counter (id TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (id, name))"
                    + " WITHOUT ROWID");

    private final Path file;
    private final Connection connection;

    private SqliteRegistryStore(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    /** Opens the registry of a state folder, making folder and file where there are none. */
    public static SqliteRegistryStore open(Path folder) throws IOException {
        Path file = folder.resolve("registry.sqlite");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new StoreException("the state folder cannot be made: " + folder, e);
        }
        // A killed process leaves the native library behind: where it can be found, and not in a folder of all users.
        System.setProperty("org.sqlite.tmpdir", folder.toString());
        removeNativeLibraries(folder);
        try {
            Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (Statement s = connection.createStatement()) {
                s.execute("PRAGMA busy_timeout=30000"); // first: the next may meet other processes
                s.execute("PRAGMA journal_mode=WAL");
                s.execute("PRAGMA synchronous=FULL");
                for (String statement : SCHEMA) {
                    s.execute(statement);
                }
            }
            return new SqliteRegistryStore(file, connection);
        } catch (SQLException e) {
            throw failure(file, e);
        }
    }

    /** Those of a while ago: whoever uses one has loaded it by now and needs the file no more. */
    private static void removeNativeLibraries(Path folder) throws IOException {
        FileTime whileAgo = FileTime.from(Instant.now().minusSeconds(600));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "sqlite-*libsqlitejdbc*")) {
            for (Path library : left) {
                if (Files.exists(library) && Files.getLastModifiedTime(library).compareTo(whileAgo) < 0) {
                    Files.deleteIfExists(library);
                }
            }
        }
    }

    @Override
    public synchronized Optional<Document> find(String id) throws IOException {
        return read(
                "SELECT version, body FROM document WHERE id = ?",
                s -> s.setString(1, id),
                r -> r.next() ? Optional.of(new Document(r.getLong(1), r.getString(2))) : Optional.empty());
    }

    @Override
    public synchronized boolean write(List<Change> changes) throws IOException {
        try (Statement s = connection.createStatement()) {
            s.execute("BEGIN IMMEDIATE");
            boolean kept = false;
            try {
                for (Change change : changes) {
                    if (!apply(change)) {
                        return false;
                    }
                }
                s.execute("COMMIT");
                kept = true;
                return true;
            } finally {
                if (!kept) {
                    rollBack(s);
                }
            }
        } catch (SQLException e) {
            throw failure(file, e);
        }
    }

    private boolean apply(Change change) throws SQLException {
        return switch (change) {
            case Put p
            when p.expected() == 0 ->
                execute("INSERT INTO document (id, version, body) VALUES (?, 1, ?) ON CONFLICT DO NOTHING", s -> {
                            s.setString(1, p.id());
                            s.setString(2, p.body());
                        })
                        == 1;
            case Put p ->
                execute("UPDATE document SET version = version + 1, body = ? WHERE id = ? AND version = ?", s -> {
                            s.setString(1, p.body());
                            s.setString(2, p.id());
                            s.setLong(3, p.expected());
                        })
                        == 1;
            case Delete d ->
                execute("DELETE FROM document WHERE id = ? AND version = ?", s -> {
                            s.setString(1, d.id());
                            s.setLong(2, d.expected());
                        })
                        == 1;
            case Join j ->
                execute(
                                "INSERT INTO member (of_set, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
                                s -> name(s, j.set(), j.name()))
                        >= 0;
            case Leave l ->
                execute("DELETE FROM member WHERE of_set = ? AND name = ?", s -> name(s, l.set(), l.name())) >= 0;
        };
    }

    private static void name(PreparedStatement s, String set, String name) throws SQLException {
        s.setString(1, set);
        s.setBytes(2, name.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized List<String> names(String set, Optional<String> after, boolean descending, int limit)
            throws IOException {
        String order = descending ? "DESC" : "ASC";
        String behind = after.isEmpty() ? "" : descending ? " AND name < ?3" : " AND name > ?3";
        return read(
                "SELECT name FROM member WHERE of_set = ?1" + behind + " ORDER BY name " + order + " LIMIT ?2",
                s -> {
                    s.setString(1, set);
                    s.setInt(2, limit);
                    if (after.isPresent()) {
                        s.setBytes(3, after.get().getBytes(StandardCharsets.UTF_8));
                    }
                },
                r -> {
                    List<String> names = new ArrayList<>();
                    while (r.next()) {
                        names.add(new String(r.getBytes(1), StandardCharsets.UTF_8));
                    }
                    return names;
                });
    }

    @Override
    public synchronized void add(String id, Map<String, Long> amounts) throws IOException {
        try (Statement s = connection.createStatement()) {
            s.execute("BEGIN IMMEDIATE");
            boolean kept = false;
            try {
                for (Map.Entry<String, Long> amount : amounts.entrySet()) {
                    int _ = execute(
                            "INSERT INTO counter (id, name, n) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
                            p -> {
                                p.setString(1, id);
                                p.setString(2, amount.getKey());
                                p.setLong(3, amount.getValue());
                            });
                }
                s.execute("COMMIT");
                kept = true;
            } finally {
                if (!kept) {
                    rollBack(s);
                }
            }
        } catch (SQLException e) {
            throw failure(file, e);
        }
    }

    @Override
    public synchronized Map<String, Long> sums(String id) throws IOException {
        return read("SELECT name, n FROM counter WHERE id = ?", s -> s.setString(1, id), r -> {
            Map<String, Long> sums = new TreeMap<>();
            while (r.next()) {
                sums.put(r.getString(1), r.getLong(2));
            }
            return sums;
        });
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure(file, e);
        }
    }

    private interface Bind {
        void to(PreparedStatement statement) throws SQLException;
    }

    private interface Rows<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private <T> T read(String sql, Bind bind, Rows<T> rows) throws IOException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            bind.to(s);
            try (ResultSet r = s.executeQuery()) {
                return rows.read(r);
            }
        } catch (SQLException e) {
            throw failure(file, e);
        }
    }

    /** How many rows it changed. */
    private int execute(String sql, Bind bind) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            bind.to(s);
            return s.executeUpdate();
        }
    }

    private static void rollBack(Statement s) {
        try {
            s.execute("ROLLBACK");
        } catch (SQLException alreadyRolledBack) {
            // By SQLite itself. Were it for another reason, the next BEGIN would fail.
        }
    }

    private static IOException failure(Path file, SQLException e) {
        return new StoreException("the registry cannot be used: " + e.getMessage() + ": " + file, e);
    }
}
