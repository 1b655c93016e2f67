package dev.stet.registry;

import dev.stet.aws.dynamodb.FakeTable;
import java.util.concurrent.atomic.AtomicLong;

/** Conflicts, throttling, and writes that were applied and sent again: nobody notices. */
class StormyDynamoDbRegistryStoreTest extends RegistryStoreContract {
    private static final AtomicLong SEEDS = new AtomicLong();

    @Override
    protected RegistryStore open() {
        return new DynamoDbRegistryStore(
                FakeTable.stormy(SEEDS.incrementAndGet()).documents());
    }
}
