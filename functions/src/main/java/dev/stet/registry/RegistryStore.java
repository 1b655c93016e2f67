package dev.stet.registry;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the registry keeps its rows: documents with versions, sets of names (for lists), and counters. The port says nothing of pipelines and runs, so that
 * their rules stand once, in {@link Pipelines} and {@link Runs}. All reads see every write that was answered before. Thread-safe.
 */
public interface RegistryStore extends AutoCloseable {
    /** What is stored under an id. @param version 1 when it was first put, one more with each change */
    record Document(long version, String body) {}

    /** One part of a write. */
    sealed interface Change {}

    /** The document, if it is still at that version. @param expected 0: there is none yet */
    record Put(String id, long expected, String body) implements Change {}

    /** No document, if it is still at that version. */
    record Delete(String id, long expected) implements Change {}

    /** The name is in the set from now on. */
    record Join(String set, String name) implements Change {}

    /** The name is not in the set any more. */
    record Leave(String set, String name) implements Change {}

    Optional<Document> find(String id) throws IOException;

    /** As {@link #find}, for several, in their order. */
    default List<Optional<Document>> findAll(List<String> ids) throws IOException {
        List<Optional<Document>> found = new ArrayList<>();
        for (String id : ids) {
            found.add(find(id));
        }
        return found;
    }

    /**
     * All changes, or none when a document is not at the version expected of it.
     *
     * @param changes at most one of each document; the first is a {@link Put} or {@link Delete}
     * @return whether they were applied
     * @throws dev.stet.store.UnknownOutcomeException when nobody knows
     */
    boolean write(List<Change> changes) throws IOException;

    /**
     * Names of a set in order of their bytes.
     *
     * @param after only those behind this one
     */
    List<String> names(String set, Optional<String> after, boolean descending, int limit) throws IOException;

    /** Adds to the counters of an id. Cheap, for many at once; an answer that was lost may count twice. */
    void add(String id, Map<String, Long> amounts) throws IOException;

    /** The counters of an id. */
    Map<String, Long> sums(String id) throws IOException;

    @Override
    void close() throws IOException;
}
