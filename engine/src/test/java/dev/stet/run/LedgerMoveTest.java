package dev.stet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.PipelineConfig;
import dev.stet.config.SinkCompression;
import dev.stet.copy.Backoff;
import dev.stet.copy.Committer;
import dev.stet.faults.FaultPlan;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.ledger.FaultyLedger;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.LedgerException;
import dev.stet.ledger.ManualClock;
import dev.stet.route.RoutingSettings;
import dev.stet.route.TimeUnit;
import dev.stet.store.CaseProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerMoveTest {
    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final SharedLedgers tables = new SharedLedgers();

    @BeforeEach
    void begin() throws Exception {
        tables.create("stet");
        put("one", "a");
    }

    private void put(String key, String text) throws IOException {
        Files.createDirectories(folder.resolve("source"));
        Files.writeString(folder.resolve("source").resolve(key), "{\"v\":\"" + text + "\"}\n");
    }

    /** What {@code stet copy} does. */
    private long copied(LedgerPlace ledger, String state, boolean flush, String sink) throws Exception {
        RoutingSettings routing = new RoutingSettings(
                List.of(),
                "n",
                List.of(),
                "p_",
                List.of(),
                TimeUnit.DAY,
                "",
                true,
                Map.of(),
                RoutingSettings.OnMissing.QUARANTINE);
        PipelineConfig pipeline = new PipelineConfig(
                Optional.empty(),
                Optional.empty(),
                new Location.Directory(folder.resolve("source")),
                Format.JSON,
                List.of(),
                List.of(),
                Optional.empty(),
                routing,
                new Location.Directory(folder.resolve(sink)),
                SinkCompression.NONE,
                PipelineConfig.LandingPolicy.DEFAULT);
        RunOptions options = new RunOptions(
                ledger,
                Optional.of(folder.resolve(state)),
                Optional.empty(),
                Optional.empty(),
                1,
                Optional.empty(),
                flush,
                false,
                false);
        LocalEngine engine = new LocalEngine(new Machine(Stores.NONE, tables, Map.of(), clock, CaseProbe.FILES));
        return engine.run(pipeline, options, new QuietListener()).counters().recordsCopied();
    }

    private LedgerMove.Moved move(String from, String to) throws Exception {
        return new LedgerMove(tables, Map.of("HOME", folder.toString()), clock)
                .move(from, to, Optional.empty(), folder);
    }

    private List<String> landed() throws IOException {
        return landed("sink");
    }

    private List<String> landed(String sink) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(sink))) {
            return files.filter(Files::isRegularFile)
                    .flatMap(f -> {
                        try {
                            return Files.readAllLines(f).stream();
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    })
                    .sorted()
                    .toList();
        }
    }

    @Test
    void whoeverGoesOnInATableCopiesNothingTwice() throws Exception {
        assertThat(copied(LedgerPlace.EMBEDDED, "state", true, "sink")).isEqualTo(1);
        LedgerMove.Moved moved = move("state", "dynamodb:stet");
        assertThat(moved.carried().objects()).isEqualTo(1);
        put("two", "b");

        assertThatThrownBy(() -> copied(LedgerPlace.EMBEDDED, "state", true, "sink"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("moved to dynamodb:stet");
        LedgerPlace table = new LedgerPlace.Table("stet");
        assertThat(copied(table, "state2", true, "sink")).isEqualTo(1);
        assertThat(copied(table, "state2", true, "sink")).isZero();
        assertThat(landed()).containsExactly("{\"v\":\"a\"}", "{\"v\":\"b\"}");

        put("three", "c");
        move("dynamodb:stet", "back");
        assertThat(copied(LedgerPlace.EMBEDDED, "back", true, "sink")).isEqualTo(1);
        assertThat(landed()).containsExactly("{\"v\":\"a\"}", "{\"v\":\"b\"}", "{\"v\":\"c\"}");
        assertThatThrownBy(() -> copied(table, "state2", true, "sink"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("moved to " + folder.resolve("back"));
    }

    @Test
    void aMoveThatIsDoneIsRefusedAndSaysSo() throws Exception {
        copied(LedgerPlace.EMBEDDED, "state", true, "sink");
        move("state", "dynamodb:stet");
        assertThatThrownBy(() -> move("state", "dynamodb:stet")).hasMessageContaining("nothing is left to do");
        tables.create("other");
        assertThatThrownBy(() -> move("state", "dynamodb:other")).hasMessageContaining("was moved before");
    }

    @Test
    void endedAtAnyWriteNeitherLedgerCanBeUsedUntilTheMoveIsDone() throws Exception {
        boolean ended = true;
        for (int n = 1; ended; n++) {
            String from = "from-" + n;
            String to = "to-" + n;
            String sink = "sink-" + n;
            tables.create(from);
            tables.create(to);
            LedgerPlace.Table source = new LedgerPlace.Table(from);
            LedgerPlace.Table target = new LedgerPlace.Table(to);
            assertThat(copied(source, "s", false, sink)).isEqualTo(1);
            FaultPlan plan = FaultPlan.crashAt(n, FaultPlan.Fault.FAIL);
            ended = false;
            try {
                new LedgerMove(faulty(plan), Map.of(), clock)
                        .move("dynamodb:" + from, "dynamodb:" + to, Optional.empty(), folder);
            } catch (IOException e) {
                ended = true;
            }
            boolean marked = tables.open(from, id(from), "", clock)
                    .pipeline()
                    .orElseThrow()
                    .move()
                    .isPresent();
            if (ended) {
                if (tables.pipelines(to).size() > 0) {
                    assertThatThrownBy(() -> copied(target, "s", true, sink))
                            .isInstanceOf(ConfigException.class)
                            .hasMessageContaining("being moved here from dynamodb:" + from);
                }
                if (marked) {
                    assertThatThrownBy(() -> copied(source, "s", true, sink)).isInstanceOf(ConfigException.class);
                }
                new LedgerMove(tables, Map.of(), clock)
                        .move("dynamodb:" + from, "dynamodb:" + to, Optional.empty(), folder);
            }
            assertThat(copied(target, "s", true, sink)).isZero();
            assertThat(landed(sink)).containsExactly("{\"v\":\"a\"}");
        }
    }

    private String id(String table) throws Exception {
        return tables.pipelines(table).keySet().iterator().next();
    }

    private Ledgers faulty(FaultPlan plan) {
        return new Ledgers() {
            @Override
            public Ledger open(String table, String pipelineId, String source, Clock at) throws ConfigException {
                return new FaultyLedger(tables.open(table, pipelineId, source, at), plan);
            }

            @Override
            public Map<String, String> pipelines(String table) throws ConfigException, IOException {
                return tables.pipelines(table);
            }

            @Override
            public void create(String table) {
                tables.create(table);
            }
        };
    }

    @Test
    void aRunThatIsAtWorkLosesToTheMove() throws Exception {
        LedgerPlace table = new LedgerPlace.Table("stet");
        assertThat(copied(table, "s", true, "sink")).isEqualTo(1);
        Ledger live = tables.open("stet", id("stet"), "", clock);
        move("dynamodb:stet", "moved");
        // What a run that began before the move, and idled through it, does when something new comes.
        Committer committer = new Committer(live, Backoff.NONE);
        assertThatThrownBy(() -> committer.begin(Commit.uploading("late", "bundles/late", clock.millis() + 60_000, 0)))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("moved to " + folder.resolve("moved"));
        assertThat(live.find("late").orElseThrow().state()).isEqualTo(CommitState.ABANDONED);
    }

    @Test
    void aLivingWorkersCommitStopsTheMoveAndADeadOnesDoesNot() throws Exception {
        LedgerPlace table = new LedgerPlace.Table("stet");
        assertThat(copied(table, "s", true, "sink")).isEqualTo(1);
        Ledger live = tables.open("stet", id("stet"), "", clock);
        live.begin(Commit.uploading("busy", "bundles/busy", clock.millis() + 60_000, 0));
        assertThatThrownBy(() -> move("dynamodb:stet", "moved")).hasMessageContaining("1 commits under way");
        assertThat(copied(table, "s", true, "sink")).isZero();
        clock.advance(61_000);
        assertThat(move("dynamodb:stet", "moved").carried().objects()).isEqualTo(1);
    }

    @Test
    void bundlesThatWaitBesideTheLedgerAreLandedFirst() throws Exception {
        copied(LedgerPlace.EMBEDDED, "state", false, "sink");
        assertThatThrownBy(() -> move("state", "dynamodb:stet"))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("wait to be landed in " + folder.resolve("state/staging"));
        copied(LedgerPlace.EMBEDDED, "state", true, "sink");
        move("state", "dynamodb:stet");
    }

    @Test
    void oneOfSeveralPipelinesIsNamedById() throws Exception {
        LedgerPlace table = new LedgerPlace.Table("stet");
        copied(table, "s1", true, "sink");
        copied(table, "s2", true, "sink2");
        assertThatThrownBy(() -> move("dynamodb:stet", "back"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--pipeline-id")
                .hasMessageContaining("sink2");
        String id = tables.pipelines("stet").keySet().iterator().next();
        assertThat(new LedgerMove(tables, Map.of("HOME", folder.toString()), clock)
                        .move("dynamodb:stet", "sqlite", Optional.of(id), folder)
                        .to())
                .isEqualTo(folder.resolve(".local/state/stet/" + id).toString());
    }

    @Test
    void whatIsNoLedgerIsNamed() {
        assertThatThrownBy(() -> move("nowhere", "dynamodb:stet"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no ledger in " + folder.resolve("nowhere"));
        assertThat(folder.resolve("nowhere")).doesNotExist();
        assertThatThrownBy(() -> move("dynamodb:stet", "back")).hasMessageContaining("no pipeline's ledger");
        assertThatThrownBy(() -> move("state", "dynamodb:a/b")).hasMessageContaining("TO: the name of a table");
        assertThatThrownBy(() -> move("state", "state")).hasMessageContaining("the same ledger");
        assertThatThrownBy(() -> move("sqlite", "dynamodb:stet")).hasMessageContaining("no pipeline's ledger");
    }
}
