package dev.stet.ledger;

import dev.stet.faults.FaultPlan.Call;
import dev.stet.faults.InjectedFailure;
import dev.stet.ledger.Ledger.Outcome;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The copy worker of the protocol's model, reduced to its calls of the port: what a correct caller does with refusals and lost answers. Tells each
 * object that it made count to {@code copied}.
 */
final class PortWorker {
    /** Hears of each object that counts, and by which commit. */
    interface Copied {
        void by(String key, String commitId);
    }

    private final Ledger ledger;
    private final String name;
    private final Copied copied;
    private int tries;

    PortWorker(Ledger ledger, String name, Copied copied) {
        this.ledger = ledger;
        this.name = name;
        this.copied = copied;
    }

    /** Returns when all of them are in the ledger, by this worker or another. */
    void copy(Collection<String> keys) throws IOException {
        List<String> todo = missing(keys);
        while (!todo.isEmpty()) {
            goOn();
            String id = name + "." + tries++;
            if (begin(id)) {
                commit(id, todo);
            }
            todo = missing(keys);
        }
    }

    /** What of the keys, which are in order, is not in the ledger. */
    private List<String> missing(Collection<String> keys) throws IOException {
        List<String> missing = new ArrayList<>();
        Optional<Page> page = Optional.empty();
        for (String key : keys) {
            if (page.isEmpty() || !page.get().range().contains(key)) {
                page = Optional.of(read(() -> ledger.pageOf(key)));
            }
            if (!page.get().entries().holds(LedgerUnderTest.fingerprint(key))) {
                missing.add(key);
            }
        }
        return missing;
    }

    private boolean begin(String id) throws IOException {
        return write(() -> ledger.begin(LedgerUnderTest.uploading(id))) == Outcome.APPLIED
                || read(() -> ledger.find(id))
                        .filter(c -> c.state() == CommitState.UPLOADING)
                        .isPresent();
    }

    /** Same id until it is done, refused for good, or found to want what another took. */
    private void commit(String id, List<String> todo) throws IOException {
        while (true) {
            goOn();
            List<PageUpdate> updates = new ArrayList<>();
            boolean taken = false;
            for (int i = 0; i < todo.size(); ) {
                String first = todo.get(i);
                Page page = read(() -> ledger.pageOf(first));
                List<Fingerprint> added = new ArrayList<>();
                for (; i < todo.size() && page.range().contains(todo.get(i)); i++) {
                    added.add(LedgerUnderTest.fingerprint(todo.get(i)));
                }
                taken |= added.stream().anyMatch(page.entries()::holds);
                updates.add(new PageUpdate(
                        page.after(), page.version(), page.entries().with(added)));
            }
            if (taken || updates.size() > Ledger.MAX_PAGES_PER_COMMIT) {
                if (write(() -> ledger.abandon(id)) == Outcome.APPLIED) {
                    return;
                }
            } else if (write(() -> ledger.commit(id, LedgerUnderTest.details(todo.size()), updates))
                    == Outcome.APPLIED) {
                todo.forEach(key -> copied.by(key, id));
                return;
            }
            CommitState state = read(() -> ledger.find(id)).map(Commit::state).orElse(CommitState.ABANDONED);
            if (state == CommitState.COMMITTED || state == CommitState.RETIRED) {
                todo.forEach(key -> copied.by(key, id));
                return;
            }
            if (state == CommitState.ABANDONED) {
                return;
            }
        }
    }

    /** Again until it is answered. */
    static <T> T read(Call<T> call) throws IOException {
        while (true) {
            try {
                return call.run();
            } catch (InjectedFailure e) {
                goOn();
            }
        }
    }

    /** Again until there is an answer; REFUSED may then mean that an earlier one was applied. */
    static <T> T write(Call<T> call) throws IOException {
        while (true) {
            try {
                return call.run();
            } catch (InjectedFailure | UnknownOutcomeException e) {
                goOn();
            }
        }
    }

    /** A ledger with a fault may keep its workers busy forever: they end with their test. */
    private static void goOn() throws InterruptedIOException {
        if (Thread.interrupted()) {
            throw new InterruptedIOException();
        }
    }
}
