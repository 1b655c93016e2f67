package dev.stet.ledger;

import static dev.stet.ledger.LedgerUnderTest.fingerprint;
import static dev.stet.ledger.LedgerUnderTest.pages;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.faults.FaultPlan;
import dev.stet.store.KeyOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** 16 workers fight for the same objects while pages split and a sweeper abandons: each object is committed by exactly one commit. */
public interface StormContract extends LedgerUnderTest {

    @Test
    default void noEntryIsLostOrDoubled() throws Exception {
        storm(List.of(ledger(), reopened()), FaultPlan.none(), 1);
    }

    @Test
    default void noEntryIsLostOrDoubledWhenCallsFailGetLostOrComeLate() throws Exception {
        FaultPlan plan = FaultPlan.random(7, 0.1);
        storm(List.of(new FaultyLedger(ledger(), plan), new FaultyLedger(reopened(), plan)), plan, 2);
    }

    /** A notification tells of an object while the first listing is under way: whoever is faster, the object counts once. */
    @Test
    default void eventsAndAListingOnAnEmptyLedgerCommitEachKeyOnce() throws Exception {
        List<String> keys = IntStream.range(0, 8).mapToObj(i -> "k" + i).toList();
        Map<String, String> commitOf = new ConcurrentHashMap<>();
        List<String> doubled = Collections.synchronizedList(new ArrayList<>());
        PortWorker.Copied copied = (key, id) -> {
            String before = commitOf.putIfAbsent(key, id);
            if (before != null) {
                doubled.add(key + ": " + before + ", " + id);
            }
        };
        Ledger events = reopened();
        List<Callable<String>> workers = new ArrayList<>();
        for (int w = 0; w < 16; w++) {
            boolean listing = w % 4 == 0;
            List<String> task = listing ? keys : List.of(keys.get(w % keys.size()));
            PortWorker worker = new PortWorker(listing ? ledger() : events, "w" + w, copied);
            workers.add(() -> {
                worker.copy(task);
                return "copied";
            });
        }
        LedgerUnderTest.together(workers);

        assertThat(doubled).isEmpty();
        assertThat(commitOf.keySet()).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(pages(ledger())).singleElement().satisfies(page -> {
            assertThat(page.entries()).isEqualTo(LedgerUnderTest.entries(keys));
            assertThat(page.version()).isLessThanOrEqualTo(keys.size());
        });
        assertThat(LedgerUnderTest.ids(ledger(), CommitState.COMMITTED))
                .containsExactlyInAnyOrderElementsOf(Set.copyOf(commitOf.values()));
    }

    private void storm(List<Ledger> processes, FaultPlan plan, long seed) throws Exception {
        // Keys of all planes, so that a storm in the wrong order would tear pages.
        List<String> keys = IntStream.range(0, keysPerStorm())
                .mapToObj(i -> (i % 5 == 0 ? "\ud83d\ude00" : i % 5 == 1 ? "\ufffd" : "k") + "%05d".formatted(i))
                .sorted(KeyOrder.UTF8)
                .toList();
        Map<String, String> commitOf = new ConcurrentHashMap<>();
        List<String> doubled = Collections.synchronizedList(new ArrayList<>());
        PortWorker.Copied copied = (key, id) -> {
            String before = commitOf.putIfAbsent(key, id);
            if (before != null) {
                doubled.add(key + ": " + before + ", " + id);
            }
        };
        List<Callable<String>> workers = new ArrayList<>();
        for (int w = 0; w < 16; w++) {
            int n = w;
            Ledger ledger = processes.get(n % processes.size());
            workers.add(() -> {
                Random random = new Random(seed * 31 + n);
                PortWorker worker = new PortWorker(ledger, "w" + n, copied);
                for (List<String> task : tasks(keys, random)) {
                    worker.copy(task);
                    splitOne(ledger, keys, random);
                    sweepOne(ledger, random);
                    if (random.nextInt(4) == 0) {
                        plan.deliver();
                    }
                }
                return "copied";
            });
        }
        LedgerUnderTest.together(workers);
        plan.deliver();

        assertThat(doubled).isEmpty();
        assertThat(commitOf).hasSize(keys.size());
        List<Page> pages = pages(reopened());
        assertThat(pages).hasSizeGreaterThan(2);
        assertThat(pages.stream().mapToInt(p -> p.entries().size()).sum()).isEqualTo(keys.size());
        for (String key : keys) {
            Page page = pages.stream()
                    .filter(p -> p.range().contains(key))
                    .reduce((a, b) -> {
                        throw new AssertionError(key + " is in two pages");
                    })
                    .orElseThrow();
            assertThat(page.entries().holds(fingerprint(key))).as(key).isTrue();
        }
        Map<String, Long> objects = new ConcurrentHashMap<>();
        reopened()
                .forEach(
                        CommitState.COMMITTED,
                        c -> objects.put(c.id(), c.details().orElseThrow().objects()));
        assertThat(objects.keySet()).containsExactlyInAnyOrderElementsOf(Set.copyOf(commitOf.values()));
        assertThat(objects.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(keys.size());
    }

    /** All keys, in an order of its own: some in ranges, as a listing gives them, some alone, as events do. */
    private static List<List<String>> tasks(List<String> keys, Random random) {
        int range = Math.max(8, keys.size() / 20);
        List<List<String>> tasks = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += range) {
            tasks.add(keys.subList(from, Math.min(keys.size(), from + range)));
            tasks.add(List.of(keys.get(random.nextInt(keys.size()))));
        }
        Collections.shuffle(tasks, random);
        return tasks;
    }

    private static void splitOne(Ledger ledger, List<String> keys, Random random) throws IOException {
        Page page = PortWorker.read(() -> ledger.pageOf(keys.get(random.nextInt(keys.size()))));
        List<String> here = keys.stream().filter(page.range()::contains).toList();
        if (here.size() < Math.max(4, keys.size() / 40)) {
            return;
        }
        int middle = here.size() / 2 - 1;
        PageEntries left = LedgerUnderTest.entries(here.subList(0, middle + 1));
        PortWorker.write(() -> ledger.split(
                page,
                here.get(middle),
                page.entries().filter(f -> left.identityOf(f).isPresent()),
                page.entries().filter(f -> left.identityOf(f).isEmpty())));
    }

    private static void sweepOne(Ledger ledger, Random random) throws IOException {
        if (random.nextInt(8) != 0) {
            return;
        }
        List<String> ids = PortWorker.read(() -> LedgerUnderTest.ids(ledger, CommitState.UPLOADING));
        if (!ids.isEmpty()) {
            String id = ids.get(random.nextInt(ids.size()));
            PortWorker.write(() -> ledger.abandon(id));
        }
    }
}
