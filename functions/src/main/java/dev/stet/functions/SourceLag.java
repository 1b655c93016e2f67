package dev.stet.functions;

import dev.stet.ledger.Fingerprint;
import dev.stet.ledger.Page;
import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What of a source is not copied: one LIST and one read for each 1,000 objects, nothing is written.
 *
 * @param newest the object not copied that was written last
 * @param oldest the one that waits longest
 * @param complete false when time was up: nothing behind {@code scannedTo} was looked at
 */
record SourceLag(
        long objects,
        long bytes,
        Optional<ObjectInfo> newest,
        Optional<ObjectInfo> oldest,
        boolean complete,
        String scannedTo) {

    /** Looks at the keys after {@code after}. */
    static SourceLag measure(Site site, String after, BooleanSupplier stop) throws IOException {
        Page page = site.ledger().pageAfter(after);
        String at = after;
        long objects = 0;
        long bytes = 0;
        Optional<ObjectInfo> newest = Optional.empty();
        Optional<ObjectInfo> oldest = Optional.empty();
        try (ObjectListing listing = site.source().list(new KeyRange(after, Optional.empty()))) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                if (stop.getAsBoolean()) {
                    return new SourceLag(objects, bytes, newest, oldest, false, at);
                }
                at = e.get().key();
                page = pageOf(at, page, site);
                if (e.get() instanceof ObjectInfo o && isNew(o, page, site)) {
                    objects++;
                    bytes += o.size();
                    newest = newest.filter(n -> n.modified().isAfter(o.modified()))
                            .or(() -> Optional.of(o));
                    oldest = oldest.filter(n -> !n.modified().isAfter(o.modified()))
                            .or(() -> Optional.of(o));
                }
            }
        }
        return new SourceLag(objects, bytes, newest, oldest, true, at);
    }

    private static Page pageOf(String key, Page page, Site site) throws IOException {
        Page at = page;
        while (at.upTo().isPresent() && KeyOrder.compare(key, at.upTo().get()) > 0) {
            at = site.ledger().pageAfter(at.upTo().get());
        }
        return at;
    }

    private static boolean isNew(ObjectInfo o, Page page, Site site) {
        return o.size() > 0
                && site.wanted().test(o.key())
                && !page.entries().holds(Fingerprint.of(o.key(), o.etag().orElse(""), o.size()));
    }
}
