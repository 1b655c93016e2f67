package dev.stet.ledger;

import dev.stet.audit.Digest;
import dev.stet.ledger.Ledger.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What the parts of the contract share: an empty ledger for each test, and the data of the tests. */
public interface LedgerUnderTest {
    /** The ledger of this test, empty at its start. */
    Ledger ledger();

    /** What another process, or this one after a restart, has: a ledger opened anew on the same rows. */
    Ledger reopened() throws IOException;

    /** The clock of all of them. */
    ManualClock clock();

    /** How many keys the threads of a test fight for; fewer where a request takes long. */
    default int keysPerStorm() {
        return 1_600;
    }

    /** How many commits are listed at once; fewer where a request takes long. */
    default int manyCommits() {
        return 1_100;
    }

    static Commit uploading(String id) {
        return Commit.uploading(id, "bundles/" + id, 1_000, 10);
    }

    static CommitDetails details(long objects) {
        return new CommitDetails(
                7, -5, "manifests/m", objects, new Digest(objects, 9, -1, Long.MIN_VALUE), Map.of(), 8, List.of());
    }

    static Fingerprint fingerprint(String key) {
        return Fingerprint.of(key, "etag of " + key, key.length());
    }

    static PageEntries entries(String... keys) {
        return entries(Arrays.asList(keys));
    }

    static PageEntries entries(Collection<String> keys) {
        return PageEntries.EMPTY.with(
                keys.stream().map(LedgerUnderTest::fingerprint).toList());
    }

    static PageUpdate put(Page page, String... keys) {
        return new PageUpdate(
                page.after(),
                page.version(),
                page.entries()
                        .with(Arrays.stream(keys)
                                .map(LedgerUnderTest::fingerprint)
                                .toList()));
    }

    /** Begins and commits in one go, into the pages as they are now. */
    static Outcome copy(Ledger ledger, String id, String... keys) throws IOException {
        ledger.begin(uploading(id));
        List<PageUpdate> updates = new ArrayList<>();
        for (String key : keys) {
            Page page = ledger.pageOf(key);
            PageUpdate before = updates.stream()
                    .filter(u -> u.after().equals(page.after()))
                    .findFirst()
                    .orElse(put(page));
            updates.remove(before);
            updates.add(new PageUpdate(
                    page.after(), page.version(), before.entries().with(List.of(fingerprint(key)))));
        }
        return ledger.commit(id, details(keys.length), updates);
    }

    /** Splits the page of {@code at} there; all that it holds goes into both halves. */
    static Outcome split(Ledger ledger, String at) throws IOException {
        Page page = ledger.pageOf(at);
        return ledger.split(page, at, page.entries(), page.entries());
    }

    /** All pages, in order. */
    static List<Page> pages(Ledger ledger) throws IOException {
        List<Page> all = new ArrayList<>(List.of(ledger.pageAfter("")));
        while (all.getLast().upTo().isPresent()) {
            all.add(ledger.pageAfter(all.getLast().upTo().get()));
        }
        return all;
    }

    static List<String> ids(Ledger ledger, CommitState state) throws IOException {
        List<String> ids = new ArrayList<>();
        ledger.forEach(state, c -> ids.add(c.id()));
        return ids;
    }

    /** Runs all at once and gives their results; fails with the first that failed. */
    static <T> List<T> together(List<? extends Callable<T>> tasks) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            List<T> results = new ArrayList<>();
            for (Future<T> f : threads.invokeAll(tasks)) {
                try {
                    results.add(f.get());
                } catch (ExecutionException e) {
                    threads.shutdownNow();
                    throw e.getCause() instanceof Exception cause ? cause : e;
                }
            }
            return results;
        }
    }
}
