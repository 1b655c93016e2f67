package dev.stet.registry;

import dev.stet.aws.dynamodb.FakeTable;

class FakeDynamoDbRegistryStoreTest extends RegistryStoreContract {
    @Override
    protected RegistryStore open() {
        return new DynamoDbRegistryStore(FakeTable.calm().documents());
    }
}
