package dev.stet.copy;

import dev.stet.ledger.Fingerprint;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.Page;
import dev.stet.ledger.PageEntries;
import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import dev.stet.store.SourceStore;
import dev.stet.store.UnknownOutcomeException;
import dev.stet.store.Unlistable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Lists a key range beside the ledger's pages and hands out what the ledger does not have. Holds the keys of at most two pages. A page that proves to hold
 * too many keys is split before any of them is handed out, so that in ordinary work no commit meets a page that moved. Not thread-safe; not reused.
 */
public final class RangeScanner {
    private final SourceStore source;
    private final Ledger ledger;
    private final Predicate<String> wanted;
    private final ScanLimits limits;
    private final ScanHandler handler;
    private final BooleanSupplier stop;

    private Page page = new Page("", Optional.empty(), 0, PageEntries.EMPTY);
    private List<ObjectInfo> held = new ArrayList<>();
    private final List<TodoObject> task = new ArrayList<>();
    private long taskBytes;
    private int taskPages;
    /** All keys up to here are handed out or need no copy. */
    private String settled = "";

    /** Hears what a scan finds. */
    public interface ScanHandler {
        /**
         * May block until the task can be taken.
         *
         * @param after a key before the task's first; what lies between is handed out or needs no copy
         */
        void task(CopyTask task, String after) throws IOException;

        /** The object is in the ledger, or has nothing to copy. */
        void skipped();

        void unlistable(Unlistable entry);
    }

    /**
     * Scans one range.
     *
     * @param wanted which keys are to be copied
     * @param stop asked at each key: when true the scan ends
     */
    public RangeScanner(
            SourceStore source,
            Ledger ledger,
            Predicate<String> wanted,
            ScanLimits limits,
            ScanHandler handler,
            BooleanSupplier stop) {
        this.source = source;
        this.ledger = ledger;
        this.wanted = wanted;
        this.limits = limits;
        this.handler = handler;
        this.stop = stop;
    }

    /** Scans; gives what is left because the scan was to stop: it begins with the first key that is neither handed out nor known to need no copy. */
    public Optional<KeyRange> scan(KeyRange range) throws IOException {
        settled = range.after();
        page = ledger.pageAfter(range.after());
        try (ObjectListing listing = source.list(range)) {
            for (var next = listing.next(); next.isPresent(); next = listing.next()) {
                if (stop.getAsBoolean()) {
                    settleHeld();
                    return Optional.of(new KeyRange(settled, range.upTo()));
                }
                accept(next.get());
            }
        }
        closePage();
        handOut();
        return Optional.empty();
    }

    private void accept(ListEntry entry) throws IOException {
        if (wanted.test(entry.key())) {
            switch (entry) {
                case Unlistable u -> handler.unlistable(u);
                case ObjectInfo o when o.size() == 0 -> handler.skipped();
                case ObjectInfo o -> hold(o);
            }
        }
        if (held.isEmpty() && task.isEmpty()) {
            settled = entry.key();
        }
    }

    private void hold(ObjectInfo object) throws IOException {
        while (page.upTo().isPresent()
                && KeyOrder.compare(object.key(), page.upTo().get()) > 0) {
            closePage();
            page = ledger.pageAfter(page.upTo().get());
        }
        held.add(object);
        if (held.size() >= 2 * limits.pageObjects()) {
            split();
        }
    }

    /** Everything listed in the page's range is held: compares it with the page. */
    private void closePage() throws IOException {
        boolean touched = false;
        for (ObjectInfo o : held) {
            touched |= decide(o);
        }
        held.clear();
        if (touched && ++taskPages >= limits.taskPages()) {
            handOut();
        }
    }

    /** The scan ends in the middle of a page: what it has of the beginning of what is held needs no second look. */
    private void settleHeld() {
        if (task.isEmpty()) {
            held.stream().takeWhile(o -> isCopied(o, before(o))).forEach(this::skip);
        }
    }

    /** What the page has of the object's key. */
    private OptionalLong before(ObjectInfo o) {
        return page.entries().identityOf(Fingerprint.ofKey(o.key()));
    }

    private static boolean isCopied(ObjectInfo o, OptionalLong before) {
        return before.isPresent()
                && o.etag().isPresent()
                && Fingerprint.of(o.key(), o.etag().get(), o.size()).identity() == before.getAsLong();
    }

    private void skip(ObjectInfo o) {
        handler.skipped();
        if (task.isEmpty()) {
            settled = o.key();
        }
    }

    /** @return whether the object is to be copied */
    private boolean decide(ObjectInfo o) throws IOException {
        OptionalLong before = before(o);
        if (isCopied(o, before)) {
            skip(o);
            return false;
        }
        task.add(new TodoObject(o, before));
        taskBytes += o.size();
        if (task.size() >= limits.taskObjects() || taskBytes >= limits.taskBytes()) {
            handOut();
        }
        return true;
    }

    private void handOut() throws IOException {
        if (!task.isEmpty()) {
            handler.task(new CopyTask(task, taskBytes), settled);
            settled = task.getLast().info().key();
        }
        task.clear();
        taskBytes = 0;
        taskPages = 0;
    }

    /** The first half of the held keys becomes a page of its own, and is closed. */
    private void split() throws IOException {
        List<ObjectInfo> first = held.subList(0, limits.pageObjects());
        String at = first.getLast().key();
        Set<Fingerprint> leftKeys = keys(first);
        Set<Fingerprint> rightKeys = keys(held.subList(limits.pageObjects(), held.size()));
        PageEntries elsewhere = page.entries().filter(f -> !leftKeys.contains(key(f)) && !rightKeys.contains(key(f)));
        if (elsewhere.size() > 0) {
            rightKeys.addAll(keysAhead(held.getLast().key(), elsewhere));
        }
        PageEntries left = page.entries().filter(f -> !rightKeys.contains(key(f)));
        PageEntries right = page.entries().filter(f -> !leftKeys.contains(key(f)));
        if (splitApplied(at, left, right)) {
            List<ObjectInfo> rest = new ArrayList<>(held.subList(limits.pageObjects(), held.size()));
            held = new ArrayList<>(first);
            Page rightPage = new Page(at, page.upTo(), 1, right);
            page = new Page(page.after(), Optional.of(at), page.version() + 1, left);
            closePage();
            page = rightPage;
            held = rest;
        } else {
            List<ObjectInfo> again = held;
            held = new ArrayList<>();
            page = ledger.pageAfter(page.after());
            for (ObjectInfo o : again) {
                hold(o);
            }
        }
    }

    /** An answer that is lost is no harm: the page is read again either way. */
    private boolean splitApplied(String at, PageEntries left, PageEntries right) throws IOException {
        try {
            return ledger.split(page, at, left, right) == Ledger.Outcome.APPLIED;
        } catch (UnknownOutcomeException e) {
            return false;
        }
    }

    /** Which of the entries belong to keys that come later in the page; those found nowhere (deleted meanwhile) go into both halves. */
    private Set<Fingerprint> keysAhead(String after, PageEntries searched) throws IOException {
        Set<Fingerprint> found = new HashSet<>();
        try (ObjectListing ahead = source.list(new KeyRange(after, page.upTo()))) {
            for (var next = ahead.next(); next.isPresent() && found.size() < searched.size(); next = ahead.next()) {
                Fingerprint f = Fingerprint.ofKey(next.get().key());
                if (searched.identityOf(f).isPresent()) {
                    found.add(f);
                }
            }
        }
        return found;
    }

    private static Set<Fingerprint> keys(List<ObjectInfo> objects) {
        Set<Fingerprint> keys = new HashSet<>();
        objects.forEach(o -> keys.add(Fingerprint.ofKey(o.key())));
        return keys;
    }

    private static Fingerprint key(Fingerprint f) {
        return new Fingerprint(f.keyHigh(), f.keyLow(), 0);
    }
}
