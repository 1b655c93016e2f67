package dev.stet.store;

import java.time.Instant;
import java.util.Optional;

/**
 * A source object as a listing saw it.
 *
 * @param size bytes stored
 * @param etag without quotes; empty where only reading the content would tell (a file not in the cache)
 * @param revision pins a read: the ETag on S3, size and modification time of a file; opaque outside the adapter
 * @param modified when it was written last, as the store says, the epoch where it does not; to tell people, never to decide by
 */
public record ObjectInfo(String key, long size, Optional<String> etag, String revision, Instant modified)
        implements ListEntry {

    /** The same version of the object, with an ETag that is known by now. */
    ObjectInfo withEtag(String known) {
        return new ObjectInfo(key, size, Optional.of(known), revision, modified);
    }
}
