package dev.stet.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The store port for staging and sink: objects appear whole or not at all and are never replaced. Keys are relative to the store's root or prefix.
 * Thread-safe.
 *
 * <p>Each call may throw {@link UnknownOutcomeException}; the caller then reads back and compares identity.
 */
public interface ObjectStore {
    /** Entries in {@link KeyOrder}; objects still being written are not among them. */
    ObjectListing list(KeyRange range) throws IOException;

    /** Starts an object; nothing of it is visible before {@link ObjectWriter#complete}. */
    ObjectWriter create(String key) throws IOException;

    /** Reads {@code length} bytes from {@code offset}; fewer is an {@link IOException}. */
    InputStream read(String key, long offset, long length) throws IOException;

    /** Size and checksum of the object as it lies in the store (HEAD where the store keeps a checksum, the bytes otherwise); empty where there is none. */
    Optional<StoredObject> readBack(String key) throws IOException;

    /** Deletes the object; deleting what is not there is no error. */
    void delete(String key) throws IOException;

    /** Aborts every unfinished write of {@code key}, whoever began it. A writer that goes on afterwards fails at {@link ObjectWriter#complete}. */
    void abortUploads(String key) throws IOException;

    /**
     * As {@link #abortUploads}, of every key whose last segment (behind the last slash) begins so, and of no other: what foreign writers have under way is left
     * alone. One walk through what is unfinished, however many keys that may be.
     *
     * @throws IllegalArgumentException unless it has 1 to {@link #MAX_NAME_BEGINNING} letters, digits, dots, dashes and underscores
     */
    void abortUploadsNamed(String nameBeginning) throws IOException;

    int MAX_NAME_BEGINNING = 100;

    /** For adapters: what {@link #abortUploadsNamed} takes. */
    static void requireNameBeginning(String s) {
        if (s.isEmpty() || s.length() > MAX_NAME_BEGINNING || !s.chars().allMatch(ObjectStore::isPlain)) {
            throw new IllegalArgumentException("not the beginning of a name: " + s);
        }
    }

    /** Whether the character may be in a name's beginning. */
    static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '-'
                || c == '_';
    }

    /** The last segment of a key. */
    static String nameOf(String key) {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    /** Returns when everything completed before is durable, names included. */
    void flush() throws IOException;

    /** The location as users write it, for messages. */
    String describe();

    /** The full location of one object as users write it. */
    String describe(String key);
}
