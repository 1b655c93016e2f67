package dev.stet.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.ledger.Ledger.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteLedgerTest extends LedgerContract implements SourcesContract {
    @TempDir
    Path folder;

    @Override
    protected Ledger open(ManualClock clock) throws IOException {
        return openFor("source");
    }

    @Override
    public Ledger openFor(String source) throws IOException {
        return new SqliteLedger(folder.resolve("ledger.db"), source, clock());
    }

    /** Each write waits for the disk. */
    @Override
    public int keysPerStorm() {
        return 600;
    }

    @Test
    void theFileSurvivesWithoutBeingClosed() throws Exception {
        LedgerUnderTest.copy(ledger(), "c", "k");
        Path copy = folder.resolve("copy.db");
        Files.copy(folder.resolve("ledger.db"), copy);
        Files.copy(folder.resolve("ledger.db-wal"), folder.resolve("copy.db-wal"));
        try (Ledger killed = new SqliteLedger(copy, "source", clock())) {
            assertThat(killed.pageOf("k")).isEqualTo(ledger().pageOf("k"));
            assertThat(killed.find("c")).isEqualTo(ledger().find("c"));
        }
    }

    /** A transaction that fails half-way must not ride on the next one's commit. */
    @ParameterizedTest
    @ValueSource(strings = {"ABORT", "ROLLBACK"}) // SQLite leaves the transaction open, or rolls it back itself
    void nothingStaysOfATransactionThatFailed(String how) throws Exception {
        LedgerUnderTest.split(ledger(), "m");
        ledger().begin(LedgerUnderTest.uploading("c"));
        List<PageUpdate> updates =
                List.of(LedgerUnderTest.put(ledger().pageOf("a"), "a"), LedgerUnderTest.put(ledger().pageOf("z"), "z"));
        execute("CREATE TRIGGER full BEFORE UPDATE ON commits BEGIN SELECT RAISE(" + how + ", 'SQLITE_FULL'); END");
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() -> ledger().commit("c", LedgerUnderTest.details(2), updates))
                .withMessageContaining("no space left")
                .withMessageContaining("ledger.db");
        execute("DROP TRIGGER full");
        assertThat(ledger().begin(LedgerUnderTest.uploading("d"))).isEqualTo(Outcome.APPLIED);
        assertThat(LedgerUnderTest.pages(ledger())).allMatch(p -> p.entries().size() == 0);
        assertThat(ledger().commit("c", LedgerUnderTest.details(2), updates)).isEqualTo(Outcome.APPLIED);
    }

    @Test
    void aDamagedFileIsNamed() throws Exception {
        Path file = folder.resolve("damaged.db");
        Files.writeString(file, "this is no database, but it is long enough to be looked at".repeat(100));
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() -> new SqliteLedger(file, "source", clock()))
                .withMessageContaining("damaged")
                .withMessageContaining("damaged.db");
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() -> new SqliteLedger(folder.resolve("nowhere/ledger.db"), "source", clock()))
                .withMessageContaining("nowhere");
    }

    private void execute(String sql) throws Exception {
        try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("ledger.db"));
                Statement s = c.createStatement()) {
            s.execute(sql);
        }
    }
}
