package dev.stet.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What every {@link Ledger} must do. An adapter's test extends this and says how to open one. */
@Timeout(300)
public abstract class LedgerContract
        implements PageContract, CommitContract, PartialContract, CompactionContract, StoryContract, StormContract {
    private final ManualClock clock = new ManualClock();
    private final List<Ledger> opened = new ArrayList<>();

    /** Opens the ledger of this test: empty the first time, later with the rows as they are. The contract closes it. */
    protected abstract Ledger open(ManualClock clock) throws IOException;

    @BeforeEach
    final void openLedger() throws IOException {
        opened.add(open(clock));
    }

    @AfterEach
    final void closeLedgers() throws IOException {
        for (Ledger ledger : opened) {
            ledger.close();
        }
    }

    @Override
    public final Ledger ledger() {
        return opened.getFirst();
    }

    @Override
    public final Ledger reopened() throws IOException {
        Ledger ledger = open(clock);
        opened.add(ledger);
        return ledger;
    }

    @Override
    public final ManualClock clock() {
        return clock;
    }
}
