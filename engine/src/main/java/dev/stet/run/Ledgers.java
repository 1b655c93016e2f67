package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.ledger.Ledger;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;

/** Opens ledgers that are no file of this machine. */
public interface Ledgers {
    /** Knows none. */
    Ledgers NONE = new Ledgers() {
        @Override
        public Ledger open(String table, String pipelineId, String source, Clock clock) throws ConfigException {
            throw unknown(table);
        }

        @Override
        public Map<String, String> pipelines(String table) throws ConfigException {
            throw unknown(table);
        }

        @Override
        public void create(String table) throws ConfigException {
            throw unknown(table);
        }

        private ConfigException unknown(String table) {
            return new ConfigException("this build of stet keeps ledgers on this machine only, not in table " + table);
        }
    };

    /**
     * The ledger of a pipeline over a source.
     *
     * @throws IOException when there is no such table, or it cannot be used; the message says what to do
     */
    Ledger open(String table, String pipelineId, String source, Clock clock) throws ConfigException, IOException;

    /** What the table holds: a line for people by pipeline id, in the order of ids. */
    Map<String, String> pipelines(String table) throws ConfigException, IOException;

    /** Makes the table and returns when it can be used; one that is there already is taken. */
    void create(String table) throws ConfigException, IOException;
}
