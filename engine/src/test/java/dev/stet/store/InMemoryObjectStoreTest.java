package dev.stet.store;

final class InMemoryObjectStoreTest extends ObjectStoreContract {
    private final InMemoryStore store = new InMemoryStore();

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected int many() {
        return 10_500;
    }

    @Override
    protected ObjectStore another() {
        return store;
    }
}
