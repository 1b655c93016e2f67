package dev.stet.aws.dynamodb;

import dev.stet.ledger.Ledger;
import dev.stet.ledger.LedgerContract;
import dev.stet.ledger.ManualClock;
import dev.stet.ledger.SourcesContract;

class FakeDynamoDbLedgerTest extends LedgerContract implements SourcesContract {
    private final FakeDynamoDb service = new FakeDynamoDb(weather());

    /** For subclasses. */
    Weather weather() {
        return Weather.calm();
    }

    @Override
    protected final Ledger open(ManualClock clock) {
        return openFor("s3://source/prefix#1");
    }

    @Override
    public final Ledger openFor(String source) {
        return Ledgers.open(service, "ledger", "pipeline", source, clock());
    }
}
