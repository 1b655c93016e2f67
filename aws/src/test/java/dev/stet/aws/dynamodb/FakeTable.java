package dev.stet.aws.dynamodb;

/** A table in memory, for suites of other packages. */
public final class FakeTable {
    private final FakeDynamoDb service;

    private FakeTable(Weather weather) {
        this.service = new FakeDynamoDb(weather);
    }

    public static FakeTable calm() {
        return new FakeTable(Weather.calm());
    }

    /** Conflicts, throttling and writes sent twice: what callers must not notice. */
    public static FakeTable stormy(long seed) {
        return new FakeTable(new Weather(seed, 0.2, Weather.SETTLED));
    }

    public Documents documents() {
        return new Documents(Ledgers.calls(service, "ledger"));
    }
}
