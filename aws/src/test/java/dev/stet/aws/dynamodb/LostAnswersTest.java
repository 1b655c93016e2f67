package dev.stet.aws.dynamodb;

import dev.stet.ledger.Ledger;
import dev.stet.ledger.ManualClock;
import dev.stet.ledger.StormContract;
import java.util.EnumSet;

/** 16 workers and answers that are lost, late or never come: each object is still committed by exactly one commit. */
class LostAnswersTest implements StormContract {
    private final FakeDynamoDb service =
            new FakeDynamoDb(new Weather(5, 0.2, EnumSet.complementOf(EnumSet.of(Weather.Event.NOTHING))));
    private final ManualClock clock = new ManualClock();
    private final Ledger ledger = Ledgers.open(service, "ledger", "pipeline", "source", clock);

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Ledger reopened() {
        return Ledgers.open(service, "ledger", "pipeline", "source", clock());
    }

    @Override
    public ManualClock clock() {
        return clock;
    }
}
