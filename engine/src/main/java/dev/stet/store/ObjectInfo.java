package dev.stet.store;

import java.util.Optional;

/**
 * A source object as a listing saw it.
 *
 * @param size bytes stored
 * @param etag without quotes; empty where only reading the content would tell (a file not in the cache)
 * @param revision pins a read: the ETag on S3, size and modification time of a file; opaque outside the adapter
 */
public record ObjectInfo(String key, long size, Optional<String> etag, String revision) implements ListEntry {}
