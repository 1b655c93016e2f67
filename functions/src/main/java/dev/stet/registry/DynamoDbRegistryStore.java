package dev.stet.registry;

import dev.stet.aws.dynamodb.Documents;
import dev.stet.ledger.Ledger.Outcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** The registry in the table that holds the ledger, for many machines. */
public final class DynamoDbRegistryStore implements RegistryStore {
    private static final int MAX_READS = 32;

    private final Documents documents;

    public DynamoDbRegistryStore(Documents documents) {
        this.documents = documents;
    }

    @Override
    public Optional<Document> find(String id) throws IOException {
        return documents.find(id).map(d -> new Document(d.version(), d.body()));
    }

    /** Side by side: each takes some milliseconds. */
    @Override
    public List<Optional<Document>> findAll(List<String> ids) throws IOException {
        List<Future<Optional<Document>>> asked = new ArrayList<>();
        List<Optional<Document>> found = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Semaphore atOnce = new Semaphore(MAX_READS);
            for (String id : ids) {
                asked.add(threads.submit(() -> {
                    atOnce.acquire();
                    try {
                        return find(id);
                    } finally {
                        atOnce.release();
                    }
                }));
            }
            for (Future<Optional<Document>> answer : asked) {
                found.add(answer.get());
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
        }
        return found;
    }

    @Override
    public boolean write(List<Change> changes) throws IOException {
        return documents.write(
                        changes.stream().map(DynamoDbRegistryStore::change).toList())
                == Outcome.APPLIED;
    }

    private static Documents.Change change(Change change) {
        return switch (change) {
            case Put p -> new Documents.Put(p.id(), p.expected(), p.body());
            case Delete d -> new Documents.Delete(d.id(), d.expected());
            case Join j -> new Documents.Join(j.set(), j.name());
            case Leave l -> new Documents.Leave(l.set(), l.name());
        };
    }

    @Override
    public List<String> names(String set, Optional<String> after, boolean descending, int limit) throws IOException {
        return documents.names(set, after, descending, limit);
    }

    @Override
    public void add(String id, Map<String, Long> amounts) throws IOException {
        documents.add(id, amounts);
    }

    @Override
    public Map<String, Long> sums(String id) throws IOException {
        return documents.sums(id);
    }

    /** The client is its maker's to close. */
    @Override
    public void close() {}
}
