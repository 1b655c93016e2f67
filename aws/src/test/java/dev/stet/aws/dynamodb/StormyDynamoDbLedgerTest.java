package dev.stet.aws.dynamodb;

/** The whole contract while transactions conflict, are throttled, and are sent twice by the SDK: nothing of it may be seen. */
class StormyDynamoDbLedgerTest extends FakeDynamoDbLedgerTest {
    @Override
    Weather weather() {
        return new Weather(11, 0.25, Weather.SETTLED);
    }
}
