package dev.stet.registry;

import dev.stet.aws.dynamodb.FakeTable;

class FakeDynamoDbRegistryApiTest extends RegistryApiContract {
    @Override
    protected RegistryStore open() {
        return new DynamoDbRegistryStore(FakeTable.calm().documents());
    }
}
