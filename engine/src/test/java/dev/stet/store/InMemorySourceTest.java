package dev.stet.store;

final class InMemorySourceTest extends SourceStoreContract {
    private final InMemoryStore store = new InMemoryStore();

    @Override
    protected SourceStore source() {
        return store;
    }

    @Override
    protected void put(String key, byte[] content) {
        store.put(key, content);
    }

    @Override
    protected void remove(String key) {
        store.remove(key);
    }
}
