package dev.stet.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The source: it can be listed and read, and the type has no way to write (invariant 7). Thread-safe.
 *
 * <p>Failures: {@link UnreadableObjectException} when this one object cannot be had (others may), {@link ObjectChangedException} when it is no longer
 * the version asked for, {@link StoreException} for everything that stops the run.
 */
public interface SourceStore {
    ObjectListing list(KeyRange range) throws IOException;

    /** The object as it is now; empty where there is none. */
    Optional<ObjectInfo> head(String key) throws IOException;

    /** Opens the very version of the listing. */
    ObjectRead open(ObjectInfo object) throws IOException;

    /** For opening objects one after another, about in this order: a store far away may fetch the next ones meanwhile. */
    default SourceReads reads(List<ObjectInfo> inOrder) {
        return this::open;
    }

    /** As {@link #open(ObjectInfo)}, from {@code offset} of the stored bytes on. */
    default ObjectRead open(ObjectInfo object, long offset) throws IOException {
        ObjectRead read = open(object);
        try {
            read.body().skipNBytes(offset);
            return read;
        } catch (IOException | RuntimeException e) {
            read.close();
            throw e;
        }
    }

    /** The object's identity, found by reading its content where the listing does not tell it. */
    ObjectIdentity identify(ObjectInfo object) throws IOException;

    /** The location as users write it, for messages. */
    String describe();
}
