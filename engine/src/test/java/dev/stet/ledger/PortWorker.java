package dev.stet.ledger;

import dev.stet.faults.FaultPlan.Call;
import dev.stet.faults.InjectedFailure;
import dev.stet.ledger.Ledger.Outcome;
import dev.stet.store.KeyOrder;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

    private List<String> missing(Collection<String> keys) throws IOException {
        List<String> missing = new ArrayList<>();
        for (String key : keys) {
            if (!read(() -> ledger.pageOf(key)).entries().holds(LedgerUnderTest.fingerprint(key))) {
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
            Map<String, PageUpdate> updates = new TreeMap<>(KeyOrder.UTF8);
            boolean taken = false;
            for (String key : todo) {
                Page page = read(() -> ledger.pageOf(key));
                PageUpdate old = updates.get(page.after());
                Fingerprint f = LedgerUnderTest.fingerprint(key);
                taken |= page.entries().holds(f) || (old != null && old.version() != page.version());
                updates.put(
                        page.after(),
                        new PageUpdate(
                                page.after(),
                                page.version(),
                                (old == null ? page.entries() : old.entries()).with(List.of(f))));
            }
            if (taken || updates.size() > Ledger.MAX_PAGES_PER_COMMIT) {
                if (write(() -> ledger.abandon(id)) == Outcome.APPLIED) {
                    return;
                }
            } else if (write(() ->
                            ledger.commit(id, LedgerUnderTest.details(todo.size()), List.copyOf(updates.values())))
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
