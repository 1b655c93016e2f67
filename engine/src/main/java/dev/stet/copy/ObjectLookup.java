package dev.stet.copy;

import dev.stet.ledger.Fingerprint;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.Page;
import dev.stet.store.ObjectInfo;
import dev.stet.store.SourceStore;
import java.io.IOException;
import java.util.Optional;

/**
 * What source and ledger say of single objects now, for whoever has keys and no listing. Asked in key order, it reads each page once. Not thread-safe; made
 * anew when it matters what others have committed since.
 */
public final class ObjectLookup {
    private final SourceStore source;
    private final Ledger ledger;
    private Optional<Page> page = Optional.empty();
    private int pages;

    public ObjectLookup(SourceStore source, Ledger ledger) {
        this.source = source;
        this.ledger = ledger;
    }

    /** What is to be done about a key. */
    public sealed interface Found {
        record Todo(TodoObject object) implements Found {}

        /** The ledger has this very version, or there is nothing in it to copy. */
        record Settled() implements Found {}

        /** There is no such object (any more). */
        record Gone() implements Found {}
    }

    /** How many pages the keys asked for so far lie in. */
    public int pages() {
        return pages;
    }

    public Found find(String key) throws IOException {
        // The page first: an entry that comes in between shows at the commit. The other way round it would be missed.
        Page at = pageOf(key);
        Optional<ObjectInfo> now = source.head(key);
        if (now.isEmpty()) {
            return new Found.Gone();
        }
        ObjectInfo info = now.get();
        if (info.size() == 0) {
            return new Found.Settled();
        }
        boolean known = info.etag().isPresent()
                && at.entries().holds(Fingerprint.of(key, info.etag().get(), info.size()));
        return known
                ? new Found.Settled()
                : new Found.Todo(new TodoObject(info, at.entries().identityOf(Fingerprint.ofKey(key))));
    }

    /** The object as it is now, for whoever another one got ahead of; why there is nothing left to do is told. */
    Optional<TodoObject> again(String key, CopyMeter meter) throws IOException {
        switch (find(key)) {
            case Found.Todo t -> {
                return Optional.of(t.object());
            }
            case Found.Settled _ -> meter.skipped();
            case Found.Gone _ -> meter.unreadable(key, "deleted", "it was deleted after it was listed");
        }
        return Optional.empty();
    }

    private Page pageOf(String key) throws IOException {
        if (page.isEmpty() || !page.get().range().contains(key)) {
            page = Optional.of(ledger.pageOf(key));
            pages++;
        }
        return page.get();
    }
}
