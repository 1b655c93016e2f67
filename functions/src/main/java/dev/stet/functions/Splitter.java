package dev.stet.functions;

import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import dev.stet.task.SourceTask;
import java.io.IOException;
import java.util.Optional;

/** Splits a source into tasks. */
final class Splitter {
    private static final int OBJECTS = 250;

    private final Site site;
    private final Call call;

    /** Takes tasks in key order. */
    interface Tasks {
        void accept(SourceTask task) throws IOException;
    }

    Splitter(Site site, Call call) {
        this.site = site;
        this.call = call;
    }

    void split(Tasks tasks) throws IOException {
        String after = "";
        int n = 0;
        try (ObjectListing listing = site.source().list(KeyRange.ALL)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                if (++n % OBJECTS == 0) {
                    tasks.accept(new SourceTask.Range(
                            new KeyRange(after, Optional.of(e.get().key()))));
                    after = e.get().key();
                }
            }
        }
        tasks.accept(new SourceTask.Range(new KeyRange(after, Optional.empty())));
        call.info(
                "split",
                tools.jackson.databind.json.JsonMapper.shared()
                        .createObjectNode()
                        .put("objects", n));
    }
}
