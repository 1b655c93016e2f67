package dev.stet.run;

import dev.stet.ledger.InMemoryLedger;
import dev.stet.ledger.Ledger;

class CrashInMemoryTest extends CrashContract {
    @Override
    Ledger freshLedger() {
        return new InMemoryLedger(clock);
    }
}
