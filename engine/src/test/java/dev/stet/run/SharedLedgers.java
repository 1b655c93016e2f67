package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.PipelineRow;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Tables in memory: ledgers that outlive the runs that open them. One source a pipeline. */
public final class SharedLedgers implements Ledgers {
    private final Map<String, Map<String, Ledger>> tables = new ConcurrentHashMap<>();

    @Override
    public Ledger open(String table, String pipelineId, String source, Clock clock) throws ConfigException {
        return tables(table).computeIfAbsent(pipelineId, id -> new InMemoryLedger(clock));
    }

    private Map<String, Ledger> tables(String table) throws ConfigException {
        return Optional.ofNullable(tables.get(table)).orElseThrow(() -> new ConfigException("no table " + table));
    }

    @Override
    public Map<String, String> pipelines(String table) throws ConfigException, IOException {
        Map<String, String> known = new TreeMap<>();
        for (Ledger ledger : tables(table).values()) {
            Optional<PipelineRow> row = ledger.pipeline();
            row.ifPresent(r -> known.put(r.id(), r.source() + " to " + r.sink()));
        }
        return known;
    }

    @Override
    public void create(String table) {
        Map<String, Ledger> _ = tables.computeIfAbsent(table, t -> new ConcurrentHashMap<>());
    }
}
