package dev.stet.aws.s3;

import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import java.io.IOException;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A range of a store's folder. */
final class StoreListing implements ObjectListing {
    private final KeyPages pages;
    private final String folder;
    private final KeyRange range;

    /** @param folder empty or ending in a slash; an object of that very name (made by some tools to show a folder) is not in it */
    StoreListing(S3Calls calls, String folder, KeyRange range) {
        String after = folder + range.after();
        this.pages =
                new KeyPages(calls, folder, after.isEmpty() ? Optional.empty() : Optional.of(after), KeyPages.PAGE);
        this.folder = folder;
        this.range = range;
    }

    @Override
    public Optional<ListEntry> next() throws IOException {
        Optional<S3Object> object = pages.peek();
        if (object.isEmpty()) {
            return Optional.empty();
        }
        String relative = object.get().key().substring(folder.length());
        if (!range.contains(relative)) {
            return Optional.empty();
        }
        pages.pop();
        return Optional.of(SourceListing.info(relative, object.get()));
    }

    @Override
    public void close() {
        // Nothing is held between pages.
    }
}
