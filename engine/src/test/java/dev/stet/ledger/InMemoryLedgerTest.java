package dev.stet.ledger;

import java.util.Optional;

class InMemoryLedgerTest extends LedgerContract {
    private Optional<Ledger> ledger = Optional.empty();

    @Override
    protected Ledger open(ManualClock clock) {
        ledger = ledger.or(() -> Optional.of(new InMemoryLedger(clock)));
        return ledger.get();
    }
}
